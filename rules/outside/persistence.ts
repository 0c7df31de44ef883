import { defineRule, type Remedy } from '../../internal/rule/rule.ts';

export default defineRule({
  name: 'persistence',
  group: 'outside',
  level: 'deny',
  summary: 'Do not leave anything behind that starts by itself.',
  why: `
    Start-up files of the shell, scheduled jobs, services and keys for logging in go on after the session, in places where
    nobody looks for the work of an agent. They belong to the person whose machine it is.
  `,
  evidence:
    "Cases by-clobber-redirect (authorized_keys) and by-heredoc-redirect-out (.bashrc): the owner's files were cut off. Rampart and agent-command-guard deny crontab, services and start-up files; rampart lets a line appended to .bashrc pass, " +
    'here it is refused like the others. None of about 6,000 real agent calls writes to such a place. Reopen it for set-up scripts that a person has asked for.',
  on: 'system.persistence',
  needs: ['show'],
  category: 'outside-workspace',
  persistence: 'owner-action',
  quiet: [
    'what happens inside a container',
    'reading them: `crontab -l`, `systemctl status`, `launchctl list`',
    'files of the same name inside a repository',
    'an environment set for this session only',
  ],

  judge(effect, { facts }) {
    if (effect.remote && !effect.via.some((wrapper) => /^(?:ssh|ansible|gcloud|aws|az|doctl|eb)\b/.test(wrapper))) return;
    const file = effect.target?.path === undefined ? undefined : facts.show(effect.target.path);
    const look: Remedy[] = effect.preview
      ? [{ kind: 'run', run: effect.preview, because: 'shows what is there now and changes nothing' }]
      : [];
    const ask: Remedy = {
      kind: 'ask',
      ask: file ? `May I change \`${file}\`? I wanted to run \`${effect.source}\`.` : `May I run \`${effect.source}\`?`,
      because: 'it goes on after this session',
    };
    const remedies: [Remedy, ...Remedy[]] = look.length > 0 ? [look[0]!, ask] : [ask];
    return {
      says: file
        ? `\`${file}\` is ${/^[aeiou]/.test(effect.how) ? 'an' : 'a'} ${effect.how}: ${effect.what}.`
        : `${effect.how}: ${effect.what}.`,
      person: `The agent wanted to leave something that starts by itself: ${file ?? effect.what}.`,
      remedies,
      boundary: `system.persistence ${effect.target?.path ?? `${effect.how} ${effect.what}`}`,
    };
  },

  examples: {
    catches: [
      { run: "echo 'export PATH=$PATH:/opt/x' >> ~/.bashrc" },
      { run: 'cat <<EOF > ~/.zshrc\nexport A=1\nEOF' },
      { run: 'echo key >| ~/.ssh/authorized_keys' },
      { run: "(crontab -l; echo '@reboot /opt/x') | crontab -" },
      { run: 'crontab -r' },
      { run: 'systemctl --user enable sync.service' },
      { run: 'sudo cp sync.service /etc/systemd/system/' },
      { run: 'launchctl load ~/Library/LaunchAgents/dev.sync.plist' },
      { tool: 'Write', input: { file_path: '/etc/cron.d/sync', content: '* * * * * root true\n' } },
    ],
    allows: [
      { run: 'crontab -l' },
      { run: 'systemctl status ssh' },
      { run: 'cat ~/.profile' },
      { run: 'source ~/.profile' },
      { run: 'echo "export A=1" > .envrc.example' },
      { run: 'mkdir -p etc/systemd && echo "[Unit]" > etc/systemd/app.service' },
      { run: 'launchctl list' },
    ],
  },
});
