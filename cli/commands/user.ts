import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addBan } from './user-ban.ts';
import { addGrants } from './user-grant.ts';
import { addLists } from './user-list.ts';
import { addRemoval } from './user-removal.ts';

export function register(noun: Command, cli: Cli): void {
  addLists(noun, cli);
  addBan(noun, cli);
  addGrants(noun, cli);
  addRemoval(noun, cli);
}
