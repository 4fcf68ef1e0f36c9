import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addCreate } from './backup-create.ts';
import { addChecks } from './backup-list.ts';
import { addRestore } from './backup-restore.ts';

export function register(noun: Command, cli: Cli): void {
  addCreate(noun, cli);
  addChecks(noun, cli);
  addRestore(noun, cli);
}
