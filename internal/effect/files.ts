/** Effects on files: the families that give them, by program, and the redirections that every command may have. */
import type { FamilyTable } from './family.ts';
import { ARCHIVING } from './files-archive.ts';
import { DELETING } from './files-delete.ts';
import { DISKS } from './files-disk.ts';
import { IN_PLACE } from './files-in-place.ts';
import { MODES } from './files-mode.ts';
import { MOVING } from './files-move.ts';
import { OUTPUTS } from './files-output.ts';
import { READING } from './files-read.ts';
import { SYNCING } from './files-sync.ts';
import { WRITING } from './files-write.ts';

/** Programs that read, write, move or remove files. A program may stand in several tables: `sort` reads, `sort -o` writes. */
export const FILES: readonly FamilyTable[] = [READING, DELETING, MOVING, WRITING, IN_PLACE, SYNCING, ARCHIVING, MODES, DISKS, OUTPUTS];

/** The redirections of any command. */
export { redirections as REDIRECTIONS } from './files-redirect.ts';
