import { EN_HOME } from './en-home.ts';
import { EN_MACHINES } from './en-machines.ts';
import { EN_PERSONAL } from './en-personal.ts';
import { type Language, list } from './language.ts';

export const EN: Language = {
  stopWords: list(
    'a, about, after, again, all, also, am, an, and, any, are, as, at, be, because, been, before, being, between, both, but, by, could, did, do, does, doing, during, each, few, for, from, had, has, have, having, he, her, here, hers, him, his, how, i, if, in, into, is, it, its, just, me, more, most, my, no, nor, not, of, on, only, or, other, our, ours, out, over, own, same, she, should, so, some, such, than, that, the, their, theirs, them, then, there, these, they, this, those, through, to, too, under, until, up, very, was, we, were, what, when, where, which, while, who, whom, why, will, with, would, you, your, yours',
  ),
  forWords: list('for, fits, fit, compatible, suits'),
  notFor: list(
    'sale, rent, lease, hire, free, parts, spares, repair, repairs, cheap, trade, swap, exchange, pickup, collection, delivery, shipping, cash, offers, only, less, more, price, details, info, information, restoration, project, charity, you, your, me, sell, buy, it, use, years, months, weeks, days, hours, ages, life, half, everyone, anyone, both, all, the, a, an, my',
  ),
  withWords: list('with, w, incl, inc, include, includes, including, included, plus, and, comes'),
  accessories: list(
    'accessory, accessories, adapter, adapters, adaptor, adaptors, armband, bag, bags, basket, baskets, battery, batteries, bell, blades, bottle, bracket, brackets, bulb, bulbs, bumper, cable, cables, carrier, carriers, cartridge, cartridges, case, cases, charger, chargers, clamp, clips, cord, cords, cover, covers, cradle, cushion, cushions, decal, decals, dock, filter, filters, grip, grips, guard, handle, handles, handlebar, handlebars, helmet, helmets, hitch, holder, holders, holster, hook, hooks, hose, hubcaps, insert, jack, knobs, lid, lights, liner, liners, lock, locks, manual, mat, mats, mount, mounts, mudguard, mudguards, organizer, pad, pads, part, parts, pedal, pedals, pouch, protector, protectors, pump, rack, racks, remote, replacement, rims, saddle, seat, skin, skins, sleeve, sleeves, slipcover, slipcovers, spares, stand, stands, sticker, stickers, strap, straps, strings, stylus, tires, topper, toppers, trailer, tray, trays, tripod, tube, tubes, tyres, wallpaper, wipers, backpack, backpacks, cap, caps, cleaning, controller, controllers, exercise, gloves, headlight, headlights, jacket, paddle, paddles, poster, recumbent, repair, repairs, service, shelf, stationary, storage, supply, toy, wanted, wheel, wheels',
  ),
  synonyms: [...EN_MACHINES, ...EN_HOME, ...EN_PERSONAL],
};
