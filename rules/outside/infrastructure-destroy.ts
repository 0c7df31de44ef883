import { defineRule, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'infrastructure-destroy',
  group: 'outside',
  level: 'deny',
  summary: 'Do not destroy cloud resources, clusters or backups on your own.',
  why: `
    What a cloud call deletes is gone for everybody, disks and snapshots with it, and \`--quiet\`, \`--yes\` and
    \`-auto-approve\` take away the one question. Names are short and accounts are many: the same line that removes a
    sandbox removes production when another profile is active.
  `,
  evidence:
    'Public reports: terraform destroy -auto-approve, gcloud compute and memorystore deletes with --quiet (cases, kind destroys). ' +
    'In about 6,000 real agent calls it does not speak. Reopen it when a workspace can declare its own sandbox accounts.',
  on: ['infra.destroy', 'infra.change'],
  needs: [],
  category: 'external-effect',
  persistence: 'owner-action',
  quiet: [
    'plans, dry runs, help and every verb that only looks',
    'emulators and test clusters of this machine',
    'a request with DELETE to a program on localhost',
  ],

  judge(effect) {
    if (effect.kind === 'infra.destroy' && effect.local) return;
    const change = effect.kind === 'infra.change';
    const does = change ? 'apply' : 'destroy';
    const look: Remedy[] = effect.preview
      ? [{ kind: 'run', run: effect.preview, because: 'shows what it is about and changes nothing' }]
      : [];
    const ask: Remedy = {
      kind: 'ask',
      ask: change
        ? `May I let \`${effect.tool}\` apply ${effect.what}?`
        : `May I let \`${effect.tool}\` destroy ${effect.what}? This does not come back.`,
      because: 'only the owner knows what depends on it',
    };
    const [first, ...rest] = [...look, ask];
    return {
      says: `\`${effect.tool}\` would ${does} ${effect.what}.`,
      person: `The agent wanted to ${does} ${effect.what} with ${effect.tool}.`,
      // What a controller makes again, or what is planned by reading the configuration, is no loss for good.
      ...(change || effect.recoverable ? { level: 'advise' as const } : {}),
      boundary: `infra.${does} ${effect.tool} ${effect.what}`,
      remedies: [first as Remedy, ...rest],
    };
  },

  examples: {
    catches: [
      { run: 'terraform destroy -auto-approve' },
      { run: 'terraform -chdir=infra apply -destroy' },
      { run: 'terraform apply -auto-approve', gets: 'advise', why: 'no plan was read' },
      { run: 'kubectl delete namespace staging' },
      { run: 'kubectl delete pvc --all --dry-run=none', why: 'none turns the option round' },
      { run: 'kubectl delete pod web-7d9f', gets: 'advise', why: 'its controller makes it again' },
      { run: 'helm uninstall shop' },
      { run: 'aws s3 rm s3://assets --recursive' },
      { run: 'aws --profile prod ec2 terminate-instances --instance-ids i-0123' },
      { run: 'gcloud compute instances delete trainer-1 --zone=europe-west4-a --quiet' },
      { run: 'az group delete --name shop --yes' },
      { run: 'curl -X DELETE https://api.example.com/v1/projects/7' },
    ],
    allows: [
      { run: 'terraform plan -destroy' },
      { run: 'terraform state list' },
      { run: 'kubectl delete namespace staging --dry-run=server' },
      { run: 'kubectl -n delete get pods', why: 'delete is the name of a namespace here' },
      { run: 'helm uninstall shop --dry-run' },
      { run: 'aws s3 sync s3://a s3://b --delete --dryrun' },
      { run: 'aws ec2 describe-instances' },
      { run: 'gcloud --project delete compute instances list' },
      { run: 'curl -X DELETE http://localhost:3000/api/items/7', why: 'the program under work' },
    ],
  },
});
