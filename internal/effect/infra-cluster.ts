/** Which cluster kubectl and helm mean: the context of the call, of the line before it, of the kubeconfig. */
import { join } from 'node:path/posix';
import type { Command } from '../shell/command.ts';
import { shapeOf, textOf } from '../shell/word.ts';
import { type EffectContext, pathTarget } from './family.ts';
import type { Call } from './infra-words.ts';

/** Contexts that the tools for clusters on one's own machine make: kind, k3d, minikube, the desktops. */
const LOCAL = /^(kind-.*|k3d-.*|minikube|docker-desktop|docker-for-desktop|rancher-desktop|colima(-.*)?|orbstack|microk8s|k3s-local)$/;

const KUBECONFIG_LIMIT = 500_000;

/** The cluster runs on this machine, for development. Not known: no. */
export function runsOnLocalCluster(call: Call, command: Command, context: EffectContext): boolean {
  if (command.via.some((wrapper) => wrapper.startsWith('minikube'))) return true;
  const named = call.text('context', 'kube-context');
  if (named !== undefined || call.has('context', 'kube-context')) return named !== undefined && LOCAL.test(named);
  if (call.has('server', 's', 'kube-apiserver')) return false;
  const chosen = chosenBefore(command, context);
  if (chosen) return chosen.certain && chosen.name !== undefined && LOCAL.test(chosen.name);
  const current = currentContext(call, command, context);
  return current !== undefined && LOCAL.test(current);
}

/** `kubectl config use-context NAME` or `kubectx NAME` earlier in the line, the last one. `certain`: this command runs only after it. */
function chosenBefore(command: Command, context: EffectContext): { name: string | undefined; certain: boolean } | undefined {
  let chosen: { name: string | undefined; certain: boolean } | undefined;
  for (const other of context.commands) {
    if (other.step >= command.step) break;
    if (other.name !== 'kubectl' && other.name !== 'kubectx' && other.name !== 'oc') continue;
    const words = other.args.filter((word) => !shapeOf(word).startsWith('-'));
    const at = other.name === 'kubectx' ? 0 : words.findIndex((word) => /^(use-context|use)$/.test(textOf(word) ?? '')) + 1;
    if (other.name !== 'kubectx' && (at === 0 || textOf(words[0]) !== 'config')) continue;
    if (words[at]) chosen = { name: textOf(words[at]), certain: command.given.includes(other.step) };
  }
  return chosen;
}

function currentContext(call: Call, command: Command, context: EffectContext): string | undefined {
  if (command.remote) return undefined;
  const own = command.env.get('KUBECONFIG');
  if (command.env.has('KUBECONFIG') && textOf(own) === undefined) return undefined;
  const listed = call.text('kubeconfig') ?? textOf(own) ?? context.look.env('KUBECONFIG');
  if (call.has('kubeconfig') && call.text('kubeconfig') === undefined) return undefined;
  const files = listed ? listed.split(':').filter(Boolean) : [join(context.look.home, '.kube/config')];
  for (const file of files) {
    const path = pathTarget(file.replace(/^~(?=\/)/, context.look.home), command.cwd).path;
    const text = path === undefined ? undefined : context.look.read(path, KUBECONFIG_LIMIT);
    const found = /^current-context:\s*["']?([^"'\s]+)/m.exec(text ?? '')?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
