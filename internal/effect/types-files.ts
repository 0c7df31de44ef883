/** Effects on files, whatever wrote them: coreutils, redirections, interpreters, editing tools, MCP. */
import type { Edit } from '../action/action.ts';
import type { Base, Target } from './effect.ts';

export type FileEffect = Base &
  (
    | {
        kind: 'file.read';
        targets: readonly Target[] /** the content reaches the agent or another program */;
        shown: boolean;
        recursive?: boolean;
        pattern?: string /** only lines with these words are printed, as far as the command can be read that far */;
        selects?: readonly string[];
      }
    | {
        kind: 'file.write';
        targets: readonly Target[];
        /** truncate: all old content is lost; in-place: rewritten from itself; append: old content stays; create: refuses to overwrite. */
        mode: 'truncate' | 'in-place' | 'append' | 'create';
        /** The new text where it is known whole. */
        content?: string;
        edits?: readonly Edit[];
        /** How: '>', 'tee', 'cp', 'Write', 'sed -i', 'python'. */
        how: string;
        /** An interpreter program substitutes text: read, replace, write back. */
        substitutes?: boolean;
        /** For `sed -i s/a/b/`: the edit it amounts to, where it is one plain replacement. */
        edit?: Edit;
        /** An archive: the paths that all of it is made from. */
        packs?: readonly Target[];
        /** Words of the same program without its in-place option and files: prints the new text instead of writing it. */
        preview?: readonly string[];
        command: string;
      }
    | {
        kind: 'file.delete';
        targets: readonly Target[];
        recursive: boolean /** find: only what matches its tests */;
        filtered?: boolean;
        how: string;
        command: string;
      }
    | {
        kind: 'file.move';
        sources: readonly Target[];
        dest: Target /** dest may be an existing directory */;
        into: boolean;
        noClobber: boolean;
        backup: boolean;
        command: string;
        colliding?: boolean;
      }
    | {
        kind: 'file.copy';
        sources: readonly Target[];
        dest: Target;
        into: boolean;
        noClobber: boolean;
        backup: boolean;
        recursive: boolean;
        command: string;
      }
    | {
        kind: 'file.sync';
        from: Target;
        dest: Target;
        deletes: boolean;
        remoteDest: boolean /** existing files stay or are backed up */;
        keeps?: boolean;
        command: string;
        dryRunCommand?: string;
        excludesDeleted?: boolean;
        /** All that is below the source is copied. */
        whole?: boolean;
      }
    | { kind: 'file.link'; target: Target; at: Target; symbolic: boolean; force: boolean }
    | { kind: 'file.mkdir'; targets: readonly Target[] }
    | {
        kind: 'file.mode';
        targets: readonly Target[];
        recursive: boolean;
        change: 'mode' | 'owner' | 'acl' | 'attribute';
        value: string;
        command: string;
      }
    /** Raw writes to a device or a file system. */
    | { kind: 'disk.write'; device: Target; how: string; command: string }
    /** Archives and copies that leave an extracted tree over existing files. */
    | {
        kind: 'file.extract';
        dest: Target;
        overwrites: boolean;
        command: string /** the folder that the line packed before */;
        from?: Target;
      }
  );
