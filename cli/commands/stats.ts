import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addExport } from './stats-export.ts';

export function register(noun: Command, cli: Cli): void {
  addExport(noun, cli);
}
