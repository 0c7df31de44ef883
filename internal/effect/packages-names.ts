/** Names of packages: what is a registry's name, what is a path, what is a URL. */
import { quoteLine } from '../rule/quote.ts';

/** A path or a file of this machine, not a registry's name. */
export const isLocalName = (spec: string): boolean =>
  /^(\.{1,2}(\/|$)|\/|~|file:|link:|portal:|workspace:|-)/.test(spec) ||
  (/\.(tgz|tar\.gz|whl|zip|gem|py|ts|js|mjs|cjs|go)$/.test(spec) && !/^[a-z+]+:\/\//.test(spec));

/** A git repository or an archive by URL. For npm `owner/repo` is one on GitHub. */
export const isUrlName = (spec: string, manager: string): boolean =>
  /^(git\+|git:|https?:|ssh:|git@|github:|gitlab:|bitbucket:|gist:)/.test(spec) ||
  /\s?@\s?(git\+|https?:)/.test(spec) ||
  (manager.startsWith('npm') && /^[\w.-]+\/[\w.-]+(#.*)?$/.test(spec));

/** Programs whose package has another name: what `npx NAME` starts. */
const BIN_PACKAGE: Readonly<Record<string, string>> = {
  tsc: 'typescript',
  tsserver: 'typescript',
  ng: '@angular/cli',
  nest: '@nestjs/cli',
  vue: '@vue/cli',
  cap: '@capacitor/cli',
  cdk: 'aws-cdk',
  sb: 'storybook',
};

/** The package that `npx` and its kin take a program from. */
export const packageOf = (bin: string): string => (Object.hasOwn(BIN_PACKAGE, bin) ? BIN_PACKAGE[bin]! : bin);

/** The name without version, extras, tag and markers. */
export function plainName(spec: string, manager: string): string {
  switch (manager) {
    case 'npm':
    case 'npm create':
    case 'deno': {
      const alias = /@npm:(.+)$/.exec(spec);
      const bare = (alias ? alias[1]! : spec).replace(/^(npm|jsr):/, '');
      return bare.replace(/(.)@.*$/, '$1');
    }
    case 'pip':
    case 'conda':
      return (spec.replace(/^[\w-]+::/, '').split(/[\s[<>=!~;@]/, 1)[0] ?? spec).toLowerCase();
    case 'go':
      return spec.replace(/@.*$/, '');
    case 'composer':
    case 'gem':
      return spec.split(':', 1)[0]!;
    default:
      return spec.split('@', 1)[0] || spec;
  }
}

/** Asks the registry what a name is, without installing anything. */
export function previewOf(manager: string, name: string): string | undefined {
  switch (manager) {
    case 'npm':
      return quoteLine(['npm', 'view', name]);
    case 'pip':
      return quoteLine(['pip', 'index', 'versions', name]);
    case 'cargo':
      return quoteLine(['cargo', 'info', name]);
    case 'gem':
      return quoteLine(['gem', 'info', '--remote', '--exact', name]);
    case 'composer':
      return quoteLine(['composer', 'show', '--all', name]);
    case 'go':
      return quoteLine(['go', 'list', '-m', '-versions', name]);
    case 'conda':
      return quoteLine(['conda', 'search', name]);
    default:
      return undefined;
  }
}
