import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addCategories } from './seed-categories.ts';

export function register(noun: Command, cli: Cli): void {
  addCategories(noun, cli);
}
