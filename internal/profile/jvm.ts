/** Gradle and Maven: the tasks that their plugins bring, and those a build file adds. */
import { dirname, join } from 'node:path/posix';
import type { Look } from '../shell/command.ts';
import type { Role, Runner, Target } from './profile.ts';
import { roleOf } from './roles.ts';
import { callOf } from './target.ts';

const MAX_FILE = 256 * 1024;

interface Task {
  name: string;
  role: Role;
  includes: readonly string[];
  line?: number;
}

const target = (task: Task, call: string, file: string): Target => ({
  name: task.name,
  command: callOf(call, task.name),
  recipe: [],
  covers: [],
  includes: task.includes,
  writes: [],
  role: task.role,
  parts: [task.role],
  gate: false,
  endless: task.role === 'serve',
  origin: { file, ...(task.line === undefined ? {} : { line: task.line }) },
});

/** The wrapper of a build, here or further up: as it is called from the directory. */
function wrapper(name: string, fallback: string, dir: string, root: string, look: Look): string {
  for (let at = dir, up = './'; ; at = dirname(at)) {
    if (look.stat(join(at, name)) !== undefined) return `${up}${name}`;
    if (at === root || at === '/') return fallback;
    up = up === './' ? '../' : `${up}../`;
  }
}

/** Tasks of the Java plugin and of those that most builds use; by what a build file must mention. */
const GRADLE: readonly (readonly [RegExp | undefined, Task])[] = [
  [undefined, { name: 'build', role: 'build', includes: ['assemble', 'check'] }],
  [undefined, { name: 'check', role: 'gate', includes: ['test'] }],
  [undefined, { name: 'test', role: 'test', includes: [] }],
  [undefined, { name: 'assemble', role: 'build', includes: [] }],
  [undefined, { name: 'clean', role: 'clean', includes: [] }],
  [/spotless/, { name: 'spotlessApply', role: 'format', includes: [] }],
  [/spotless/, { name: 'spotlessCheck', role: 'lint', includes: [] }],
  [/ktlint/, { name: 'ktlintCheck', role: 'lint', includes: [] }],
  [/ktlint/, { name: 'ktlintFormat', role: 'format', includes: [] }],
  [/detekt/, { name: 'detekt', role: 'lint', includes: [] }],
  [/springframework\.boot/, { name: 'bootRun', role: 'serve', includes: [] }],
];

/** A Gradle build. */
export function gradleRunner(dir: string, root: string, look: Look): Runner | undefined {
  const file = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle']
    .map((name) => join(dir, name))
    .find((path) => look.read(path, MAX_FILE) !== undefined);
  if (file === undefined) return undefined;
  const text = look.read(file, MAX_FILE) ?? '';
  const call = `${wrapper('gradlew', 'gradle', dir, root, look)} {target}`;
  const own = gradleTasks(text);
  const known = GRADLE.flatMap(([when, task]) => (when === undefined || when.test(text) ? [task] : []));
  const tasks = [...own, ...known.filter((each) => !own.some((other) => other.name === each.name))];
  return {
    name: 'gradle',
    dir,
    file,
    combine: 'args',
    call,
    pass: undefined,
    durations: false,
    targets: tasks.map((task) => target(task, call, file)),
  };
}

/** `tasks.register("x") { dependsOn("y") }`, `task x(dependsOn: 'y')`, `val x by tasks.registering { … }`. */
function gradleTasks(text: string): readonly Task[] {
  const found = new Map<string, Task>();
  const pattern =
    /^[ \t]*(?:(?:tasks\s*\.\s*)?(?:register|create)(?:<[^>\n]*>)?\s*\(\s*["']([\w-]+)["']|task\s*\(?\s*["']?([\w-]+)|val\s+(\w+)\s+by\s+tasks\s*\.\s*(?:registering|creating))/gm;
  for (const match of text.matchAll(pattern)) {
    const name = match[1] ?? match[2] ?? match[3];
    if (name === undefined || found.has(name)) continue;
    const includes = [...bodyFrom(text, match.index).matchAll(/dependsOn\s*[(:]?\s*([^\n)}]+)/g)].flatMap((each) =>
      [...(each[1] as string).matchAll(/["']:?([\w:-]+)["']|tasks\.(?:named\(["'])?([\w-]+)/g)].map(
        (word) => (word[1] ?? word[2]) as string,
      ),
    );
    found.set(name, {
      name,
      role: roleOf(name, []),
      includes,
      line: text.slice(0, match.index).split('\n').length + (/^\n/.test(match[0]) ? 1 : 0),
    });
  }
  return [...found.values()];
}

/** The text of a declaration up to the end of its block, at most 2,000 characters. */
function bodyFrom(text: string, at: number): string {
  let depth = 0;
  const end = Math.min(text.length, at + 2000);
  for (let i = at; i < end; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth <= 0) return text.slice(at, i);
    else if (text[i] === '\n' && depth === 0 && i > at + 1 && !/^\s*\{/.test(text.slice(i + 1, i + 40))) return text.slice(at, i);
  }
  return text.slice(at, end);
}

/** Maven's phases in their order; each runs those before it. */
const PHASES: readonly (readonly [string, Role])[] = [
  ['validate', 'lint'],
  ['compile', 'build'],
  ['test', 'test'],
  ['package', 'build'],
  ['verify', 'gate'],
];

const MAVEN: readonly (readonly [RegExp, Task])[] = [
  [/<artifactId>\s*spotless-maven-plugin/, { name: 'spotless:apply', role: 'format', includes: [] }],
  [/<artifactId>\s*spotless-maven-plugin/, { name: 'spotless:check', role: 'lint', includes: [] }],
  [/<artifactId>\s*maven-checkstyle-plugin/, { name: 'checkstyle:check', role: 'lint', includes: [] }],
  [/<artifactId>\s*spring-boot-maven-plugin/, { name: 'spring-boot:run', role: 'serve', includes: [] }],
];

/** A pom.xml. */
export function mavenRunner(dir: string, root: string, look: Look): Runner | undefined {
  const file = join(dir, 'pom.xml');
  const text = look.read(file, MAX_FILE);
  if (text === undefined) return undefined;
  const call = `${wrapper('mvnw', 'mvn', dir, root, look)} {target}`;
  const phases = PHASES.map(([name, role], index): Task => ({ name, role, includes: PHASES.slice(0, index).map(([each]) => each) }));
  const tasks = [
    ...phases,
    { name: 'clean', role: 'clean' as const, includes: [] },
    ...MAVEN.flatMap(([when, task]) => (when.test(text) ? [task] : [])),
  ];
  return {
    name: 'maven',
    dir,
    file,
    combine: 'args',
    call,
    pass: undefined,
    durations: true,
    targets: tasks.map((task) => target(task, call, file)),
  };
}
