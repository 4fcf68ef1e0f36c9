// Names of products that say what a thing is although its noun is missing: "Galaxy S22" is a phone. `*` is the rest of a
// word, `#` a number and letters behind it. Only names that mean nothing else.
export interface Product {
  // By language: what people call it.
  nouns: Readonly<Record<string, string>>;
  names: string;
  // Other things name it last to say what they are for: "FIFA 23 PS5", "Gaming PC RTX 3060".
  isPlatform?: true;
}

// May stand before the name of a platform that is itself for sale: "black PS5".
export const BEFORE_PLATFORMS =
  'sony, microsoft, nvidia, amd, asus, msi, gigabyte, evga, zotac, sapphire, palit, gainward, new, old, retro, original, bundle, set, lot, pack, black, white, red, blue, grey, gray, neu, neue, alte, originale, schwarze, weiße, paket, nuevo, nueva, vieja, antigua, negra, blanca, lote, geforce, radeon, nintendo';

export const PRODUCTS: readonly Product[] = [
  {
    nouns: { en: 'phone', de: 'handy', es: 'móvil', fr: 'téléphone', pt: 'celular' },
    names: 'iphone*',
  },
  {
    nouns: {
      en: 'android phone',
      de: 'android handy',
      es: 'móvil android',
      fr: 'téléphone android',
      pt: 'celular android',
    },
    names:
      'galaxy s#, galaxy a#, galaxy m#, galaxy j#, galaxy z, galaxy note, galaxy fold, galaxy flip, galaxy xcover, samsung s#, samsung a#, samsung z, samsung note, z flip, z fold, pixel #, redmi note, redmi #, redmi a#, xiaomi mi #, xiaomi 11, xiaomi 11t, xiaomi 12, xiaomi 12t, xiaomi 13, xiaomi 13t, xiaomi 14, poco x#, poco f#, poco m#, poco c#, oneplus*, moto g*, moto e#, motorola edge, huawei p#, huawei mate, huawei nova, honor #, nokia #, xperia, zenfone, fairphone, realme #, realme c#, oppo a#, oppo find, oppo reno, vivo y#, blackberry',
  },
  {
    nouns: { en: 'tablet', de: 'tablet', es: 'tablet', fr: 'tablette', pt: 'tablet' },
    names:
      'ipad*, galaxy tab, samsung tab, lenovo tab, tab s#, tab a#, tab m#, fire hd, surface pro, surface go, mediapad, matepad, xiaomi pad, redmi pad',
  },
  {
    nouns: { en: 'laptop', de: 'laptop', es: 'ordenador portátil', fr: 'ordinateur portable', pt: 'notebook' },
    names:
      'macbook*, mac book, thinkpad*, ideapad, dell xps, xps #, inspiron, latitude #, elitebook, probook, hp pavilion, zenbook, vivobook, acer aspire, acer swift, acer nitro, acer predator, asus tuf, rog strix, rog zephyrus, chromebook*, surface laptop, surface book, lenovo yoga, lenovo legion, matebook, travelmate, toughbook, hp omen, hp spectre, hp envy x#, lg gram, msi katana, razer blade',
  },
  {
    nouns: { en: 'desktop computer', de: 'computer', es: 'ordenador', fr: 'ordinateur', pt: 'computador' },
    names: 'imac*, mac mini, mac studio, optiplex, thinkcentre, prodesk, elitedesk, intel nuc, vostro #',
  },
  {
    nouns: { en: 'console', de: 'konsole', es: 'consola', fr: 'console', pt: 'console' },
    names:
      'ps#, playstation*, play station, play #, xbox*, nintendo switch, switch oled, switch lite, nintendo wii*, wii u, gamecube, game cube, nintendo 64, n64, super nintendo, snes, nintendo nes, nintendo ds, nintendo 3ds, nintendo 2ds, game boy*, gameboy*, mega drive, sega genesis, dreamcast, steam deck, ps vita, psp*',
    isPlatform: true,
  },
  {
    nouns: { en: 'gpu', de: 'grafikkarte', es: 'gpu', fr: 'carte graphique', pt: 'placa de vídeo' },
    names: 'rtx #, gtx #, radeon rx, rx #',
    isPlatform: true,
  },
  {
    nouns: { en: 'headphones', de: 'kopfhörer', es: 'auriculares', fr: 'casque audio', pt: 'fone' },
    names:
      'airpods*, wh #, wf #, quietcomfort*, quiet comfort, bose qc*, bose 700, galaxy buds*, redmi buds, pixel buds, beats studio*, beats solo*, beats fit, powerbeats, sennheiser hd, sennheiser momentum, jbl tune, jbl live, dt 770, dt 990, hyperx cloud, arctis, soundcore liberty, marshall major',
  },
  {
    nouns: { en: 'earbuds', de: 'ohrhörer', fr: 'écouteurs', pt: 'fone de ouvido' },
    names: 'airpods, airpods #, airpods pro, galaxy buds*, pixel buds, wf #',
  },
  {
    nouns: { en: 'bluetooth wireless', de: 'bluetooth', es: 'bluetooth inalámbricos' },
    names:
      'airpods*, wh #, wf #, quietcomfort*, quiet comfort, bose qc*, galaxy buds*, redmi buds, pixel buds, beats studio*, beats solo*, powerbeats',
  },
  {
    nouns: { en: 'smartwatch', de: 'smartwatch', es: 'smartwatch', fr: 'montre connectée', pt: 'smartwatch' },
    names:
      'apple watch, galaxy watch*, pixel watch, huawei watch, fitbit*, garmin fenix, garmin forerunner, garmin venu, garmin instinct, garmin vivoactive, forerunner #, fenix #, mi band, amazfit, mi watch, redmi watch, samsung gear',
  },
  {
    nouns: { en: 'tv', de: 'fernseher', es: 'televisión', fr: 'télévision', pt: 'televisão' },
    names:
      'bravia, qled, lg oled*, oled# *, oled tv, lg c# oled, nanocell, ambilight, tcl roku, roku # inch, vizio # inch, samsung frame, trinitron, samsung # 4k, samsung # zoll, hisense #, tcl #, samsung # pulgadas, lg # pulgadas',
  },
  {
    nouns: { en: 'speaker', de: 'lautsprecher', es: 'altavoz', fr: 'enceinte', pt: 'caixa de som' },
    names:
      'sonos one, sonos move, sonos roam, sonos five, sonos play, homepod*, soundlink, jbl charge, jbl flip, jbl xtreme, jbl go, jbl boombox, jbl partybox, jbl clip, megaboom, ue boom, echo dot, amazon echo, nest mini, stanmore, emberton, edifier r#, bose s1',
  },
  {
    nouns: { en: 'soundbar', de: 'soundbar', es: 'barra de sonido' },
    names: 'sonos beam, sonos arc, sonos ray, playbar',
  },
  {
    nouns: { en: 'camera', de: 'kamera', es: 'cámara', fr: 'appareil photo', pt: 'câmera' },
    names:
      'eos*, canon #d, canon m#, canon r#, powershot, ixus, nikon d#, nikon z#, nikon f#, coolpix, sony a#, sony alpha, sony rx#, lumix, fujifilm x*, fuji x*, x t#, x100*, x pro#, olympus om, om d, olympus pen, olympus trip, pentax k#, leica m#, leica q#, gopro*, instax, polaroid, insta360, canon ae, hasselblad, rolleiflex, osmo action, osmo pocket, minolta x',
  },
  {
    nouns: { en: 'digital camera', de: 'digitalkamera', es: 'cámara digital' },
    names:
      'eos #d, eos r*, eos m#, eos rebel, canon #d, powershot, ixus, nikon d#, nikon z#, coolpix, sony a#, sony alpha, sony rx#, lumix, fujifilm x*, fuji x*, x t#, x100*, om d, gopro*, cyber shot, cybershot, finepix',
  },
  {
    nouns: { en: 'lens', de: 'objektiv', es: 'objetivo', fr: 'objectif', pt: 'lente' },
    names:
      'canon #mm, nikon #mm, sony #mm, #mm f #, ef s #, nikkor, tamron #, sigma #mm, sigma art, sigma # #, samyang #',
  },
  {
    nouns: { en: 'drone', de: 'drohne', es: 'dron', fr: 'drone', pt: 'drone' },
    names: 'dji mini, dji air, dji fpv, dji avata, dji spark, dji neo, mavic*, dji phantom, phantom #',
  },
  {
    nouns: { en: 'e reader', de: 'ebook reader', es: 'ebook', fr: 'liseuse', pt: 'ereader' },
    names:
      'kindle paperwhite, kindle oasis, kindle #, kindle scribe, kindle touch, paperwhite, kobo, tolino, pocketbook',
  },
  {
    nouns: { en: 'vr headset', de: 'vrbrille' },
    names: 'meta quest, quest #, oculus*, psvr*, htc vive',
  },
  {
    nouns: { en: 'printer', de: 'drucker', es: 'impresora', fr: 'imprimante', pt: 'impressora' },
    names:
      'deskjet, officejet, laserjet, ecotank, pixma, brother hl, brother dcp, brother mfc, workforce, epson et, epson xp',
  },
  {
    nouns: { en: 'monitor', de: 'monitor', es: 'monitor', fr: 'écran', pt: 'monitor' },
    names:
      'ultrasharp, samsung odyssey, thinkvision, dell p#, dell u#, lg ultragear, lg ultrawide, benq gw#, benq pd#, asus proart',
  },
  {
    nouns: { en: 'router', de: 'router', es: 'router' },
    names: 'fritzbox*, fritz box, archer c#, archer ax#, eero, speedport',
  },
  {
    nouns: { en: 'bike', de: 'fahrrad', es: 'bicicleta', fr: 'vélo', pt: 'bicicleta' },
    names:
      'specialized rockhopper, rockhopper, stumpjumper, specialized allez, specialized sirrus, cannondale*, schwinn varsity, schwinn cruiser, brompton*, trek #, trek fx, trek marlin, trek domane, trek emonda, trek madone, trek dual, trek fuel, giant contend, giant defy, giant escape, giant tcr, giant talon, bianchi*, cube attention, cube aim, cube nuroad, canyon endurace, canyon grail, canyon ultimate, scott spark, scott scale, scott aspect, orbea mx, orbea alma, orbea orca, mongoose*, santa cruz nomad, kona*, dahon*, huffy*, raleigh*, diamondback*, norco*, surly*, fixed gear, fixie, single speed, singlespeed, gt aggressor, gt avalanche, bh ultralight, bmc teammachine, cervelo*, pinarello*, colnago*, woom #, puky*, btwin*, rockrider*',
  },
  {
    nouns: { en: 'ebike', de: 'ebike', es: 'bicicleta eléctrica', fr: 'vélo électrique', pt: 'bicicleta elétrica' },
    names:
      'vanmoof*, radrover*, rad power, lectric xp, aventon*, super73, haibike*, kalkhoff*, specialized turbo, trek verve+, himo, cowboy 3, cowboy 4, gazelle ultimate',
  },
  {
    nouns: {
      en: 'electric scooter',
      de: 'escooter',
      es: 'patinete eléctrico',
      fr: 'trottinette électrique',
      pt: 'patinete elétrico',
    },
    names: 'ninebot*, xiaomi m365, mi scooter, m365, xiaomi essential, segway max, kugoo, dualtron',
  },
  {
    nouns: { en: 'car', de: 'auto', es: 'coche', fr: 'voiture', pt: 'carro' },
    names:
      'honda civic, honda accord, honda fit, honda jazz, honda cr, honda pilot, honda odyssey, honda hr, toyota corolla, toyota camry, toyota prius, toyota yaris, toyota rav4, toyota auris, toyota aygo, toyota highlander, toyota sienna, toyota etios, vw golf, vw polo, vw passat, vw tiguan, vw up, vw touran, vw jetta, vw beetle, vw id, vw gol, volkswagen golf, volkswagen polo, volkswagen passat, volkswagen tiguan, volkswagen jetta, volkswagen gol, volkswagen vento, ford focus, ford fiesta, ford mondeo, ford fusion, ford mustang, ford escape, ford explorer, ford edge, ford ka, ford kuga, ford ecosport, opel corsa, opel astra, opel zafira, opel insignia, bmw #i, bmw #d, bmw x#, bmw #, audi a#, audi q#, audi tt, mercedes benz, mercedes a#, mercedes b#, mercedes c#, mercedes e#, mercedes cla, mercedes clase, seat ibiza, seat leon, seat arona, seat ateca, seat cordoba, renault clio, renault megane, renault zoe, renault twingo, renault sandero, renault logan, renault scenic, renault duster, renault captur, renault kwid, peugeot 1#, peugeot 2#, peugeot 3#, peugeot 5#, citroen c#, citroën c#, fiat punto, fiat 500*, fiat panda, fiat tipo, fiat uno, fiat palio, skoda octavia, skoda fabia, skoda superb, skoda kodiaq, hyundai i#, hyundai tucson, hyundai elantra, hyundai accent, hyundai sonata, hyundai santa, kia rio, kia sportage, kia ceed, kia soul, kia picanto, kia sorento, kia forte, nissan versa, nissan sentra, nissan micra, nissan qashqai, nissan juke, nissan leaf, nissan altima, nissan rogue, nissan tsuru, nissan march, nissan tiida, chevrolet spark, gol g#, chevrolet aveo, chevrolet cruze, chevrolet malibu, chevrolet onix, chevrolet corsa, chevrolet sail, chevrolet equinox, chevy malibu, chevy impala, chevy cruze, chevy equinox, chevy camaro, corvette, mazda #, mazda mx, mazda cx, miata, mx 5, subaru outback, subaru forester, subaru impreza, subaru legacy, tesla model, mini cooper, jeep wrangler, jeep cherokee, jeep grand, jeep compass, jeep renegade, dacia sandero, dacia duster, dacia logan, suzuki swift, suzuki vitara, suzuki jimny, volvo v#, volvo s#, volvo xc#, porsche #, porsche cayenne, porsche macan, smart fortwo, lexus is, lexus rx, lexus es, lexus ct, alfa romeo, dodge charger, dodge challenger, chrysler 300, buick*, cadillac*, acura*, mitsubishi lancer, mitsubishi outlander, mitsubishi colt',
  },
  {
    nouns: { en: 'pickup truck', de: 'pickup', es: 'pickup', fr: 'pickup', pt: 'caminhonete' },
    names:
      'f 150, f 250, f150, ford ranger, silverado*, tacoma, toyota tundra, toyota hilux, ram 1500, ram 2500, nissan frontier, nissan navara, vw amarok, volkswagen amarok, gmc sierra, chevrolet colorado',
  },
  {
    nouns: { en: 'van', de: 'transporter', es: 'furgoneta', fr: 'utilitaire', pt: 'van' },
    names:
      'ford transit, mercedes sprinter, sprinter #, citroen berlingo, citroën berlingo, renault kangoo, renault trafic, mercedes vito, vw caddy, vw t#, fiat ducato, ford econoline, peugeot partner, opel vivaro',
  },
  {
    nouns: { en: 'motorcycle', de: 'motorrad', es: 'moto', fr: 'moto', pt: 'moto' },
    names:
      'harley davidson, harley sportster, sportster #, kawasaki ninja, kawasaki z#, kawasaki er, kawasaki versys, kawasaki vulcan, yamaha mt, yamaha r#, yamaha fz#, yamaha xj#, yamaha xt#, yamaha virago, yamaha fazer, yamaha ybr*, honda cb*, honda cbr*, honda rebel, honda africa, honda shadow, honda cg*, suzuki gsx*, suzuki gs*, suzuki dr, suzuki sv*, suzuki bandit, suzuki vstrom, ducati*, ktm duke, ktm exc, ktm #, bmw gs, bmw r #, bmw f #, r 1200, triumph bonneville, triumph street, triumph speed, royal enfield, bajaj*, moto guzzi',
  },
  {
    nouns: { en: 'scooter', de: 'roller', es: 'scooter', fr: 'scooter', pt: 'scooter' },
    names:
      'vespa*, piaggio zip, piaggio liberty, honda pcx, honda sh, yamaha xmax, yamaha nmax, peugeot kisbee, sym symphony',
  },
  {
    nouns: { en: 'coffee machine', de: 'kaffeemaschine', es: 'cafetera', fr: 'cafetière', pt: 'cafeteira' },
    names:
      'delonghi magnifica, magnifica s, dolce gusto, keurig*, senseo*, jura e#, jura ena, gaggia*, breville barista, sage barista, prima latte, tassimo*, krups piccolo, rancilio, siebträger*, bialetti, nespresso vertuo, nespresso inissia, nespresso pixie, nespresso citiz, nespresso essenza',
  },
  {
    nouns: { en: 'vacuum', de: 'staubsauger', es: 'aspiradora', fr: 'aspirateur', pt: 'aspirador' },
    names:
      'dyson v#, dyson ball, roomba*, roborock*, shark navigator, shark rotator, shark ion, shop vac, miele c#, conga #, kirby avalir, bissell crosswave, rowenta x, dreame*',
  },
  {
    nouns: { en: 'stand mixer', de: 'küchenmaschine' },
    names:
      'kitchenaid artisan, kitchenaid classic, kitchenaid k#, thermomix*, kenwood chef, monsieur cuisine, bosch mum*',
  },
  {
    nouns: { en: 'blender', de: 'mixer', es: 'batidora', fr: 'mixeur', pt: 'liquidificador' },
    names: 'vitamix*, nutribullet*, ninja foodi blender, blendtec',
  },
  {
    nouns: { de: 'hochdruckreiniger', es: 'hidrolimpiadora' },
    names: 'kärcher k#, karcher k#, kranzle',
  },
  {
    nouns: { en: 'stroller', de: 'kinderwagen', es: 'cochecito', fr: 'poussette', pt: 'carrinho de bebê' },
    names:
      'bugaboo*, uppababy*, babyzen*, maclaren*, baby jogger, cybex priam, cybex balios, stokke xplory, joolz*, thule urban, bob revolution, chicco bravo, graco modes, mima xari',
  },
  {
    nouns: { en: 'high chair', de: 'hochstuhl', es: 'trona', fr: 'chaise haute', pt: 'cadeira de alimentação' },
    names: 'tripp trapp, antilop, stokke nomi',
  },
  {
    nouns: { en: 'carseat', de: 'kindersitz', es: 'autoasiento', fr: 'siège auto', pt: 'bebê conforto' },
    names:
      'maxi cosi*, maxicosi*, kidfix, dualfix, cybex solution, cybex sirona, cybex cloud, cybex aton, graco nautilus, graco 4ever, graco extend2fit, britax boulevard, britax marathon, nuna pipa, chicco keyfit, isofix',
  },
  {
    nouns: { en: 'guitar', de: 'gitarre', es: 'guitarra', fr: 'guitare', pt: 'guitarra' },
    names:
      'stratocaster*, telecaster*, les paul*, lespaul, fender strat, fender tele, squier strat, gibson sg, gibson es, epiphone sg, epiphone dot, ibanez rg*, ibanez s#, prs se, taylor #, martin d, yamaha f310, yamaha fg*, jackson dinky, fender jazzmaster, gretsch*',
  },
  {
    nouns: {
      en: 'electric guitar',
      de: 'egitarre',
      es: 'guitarra eléctrica',
      fr: 'guitare électrique',
      pt: 'guitarra elétrica',
    },
    names:
      'stratocaster*, telecaster*, les paul*, lespaul, fender strat, fender tele, squier strat, gibson sg, epiphone sg, ibanez rg*, prs se, jackson dinky, fender jazzmaster',
  },
  {
    nouns: { en: 'piano', de: 'klavier', es: 'piano', fr: 'piano', pt: 'piano' },
    names:
      'yamaha p#, yamaha p #, clavinova, privia, roland fp, roland fp#, kawai es*, steinway*, bechstein, bösendorfer, petrof',
  },
  {
    nouns: { en: 'keyboard', de: 'keyboard', es: 'teclado', fr: 'clavier', pt: 'teclado' },
    names: 'casio ct*, casio sa*, yamaha psr*, korg m#, korg kross, nord stage, roland juno',
  },
  {
    nouns: { en: 'drums', de: 'schlagzeug', es: 'batería', fr: 'batterie', pt: 'bateria' },
    names: 'pearl export, roland td*, tama imperialstar, sonor force, ludwig breakbeats, alesis nitro',
  },
  {
    nouns: { en: 'watch', de: 'uhr', es: 'reloj', fr: 'montre', pt: 'relógio' },
    names:
      'rolex*, seiko*, g shock, casio g*, omega speedmaster, omega seamaster, tissot*, citizen eco, junghans*, festina*, swatch, daniel wellington, tag heuer, longines*, hamilton khaki, orient bambino, timex*',
  },
  {
    nouns: { en: 'sneakers', de: 'turnschuhe', es: 'zapatillas', fr: 'baskets', pt: 'tênis' },
    names:
      'air max*, air force, jordan #, air jordan*, yeezy*, ultraboost*, ultra boost, stan smith, adidas superstar, adidas samba, adidas gazelle, adidas campus, new balance #, converse*, chuck taylor*, chucks, vans old, asics gel, gel kayano, gel nimbus, nike pegasus, nike dunk, dunk low, nike cortez, puma suede, reebok classic, brooks ghost, hoka*, saucony*, onitsuka',
  },
  {
    nouns: { en: 'boots', de: 'stiefel', es: 'botas', fr: 'bottes', pt: 'botas' },
    names: 'dr martens, doc martens, docs 1460, timberland*, ugg, uggs, red wing, blundstone*',
  },
  {
    nouns: { en: 'jeans', de: 'jeans', es: 'vaqueros', fr: 'jean', pt: 'jeans' },
    names: 'levis #, levi 501, levi s 5#, 501',
  },
  {
    nouns: { en: 'sunglasses', de: 'sonnenbrille', es: 'gafas de sol', fr: 'lunettes de soleil', pt: 'óculos de sol' },
    names: 'ray ban*, rayban*, oakley holbrook, oakley frogskins, oakley radar, wayfarer*, persol*, aviator sunglasses',
  },
  {
    nouns: { en: 'handbag', de: 'handtasche', es: 'bolso', fr: 'sac à main', pt: 'bolsa' },
    names: 'louis vuitton neverfull, louis vuitton speedy, neverfull, le pliage, birkin, michael kors jet',
  },
  {
    nouns: { en: 'board game', de: 'brettspiel', es: 'juego', fr: 'jeu de société', pt: 'jogo de tabuleiro' },
    names:
      'monopoly*, catan*, carcassonne*, scrabble*, cluedo*, ticket to ride, trivial pursuit, dixit, azul, wingspan, gloomhaven, mensch ärgere, siedler von, parchís*',
  },
  {
    nouns: { en: 'doll', de: 'puppe', es: 'muñeca', fr: 'poupée', pt: 'boneca' },
    names: 'barbie*, baby born, american girl, nenuco*, bratz, baby alive',
  },
  {
    nouns: {
      en: 'office chair',
      de: 'bürostuhl',
      es: 'silla de oficina',
      fr: 'chaise de bureau',
      pt: 'cadeira de escritório',
    },
    names: 'aeron*, steelcase leap, steelcase gesture, ikea markus, secretlab*, herman miller mirra, embody',
  },
  {
    nouns: { en: 'sofa', de: 'sofa', es: 'sofá', fr: 'canapé', pt: 'sofá' },
    names: 'ektorp*, kivik*, friheten*, klippan*, söderhamn*, ikea vimle',
  },
  {
    nouns: { en: 'bookcase', de: 'regal', es: 'estantería', fr: 'bibliothèque', pt: 'estante' },
    names: 'ikea billy, ikea kallax, kallax*, billy x#',
  },
  {
    nouns: { en: 'wardrobe', de: 'kleiderschrank', es: 'armario', fr: 'armoire', pt: 'guarda-roupa' },
    names: 'ikea pax, ikea brimnes wardrobe',
  },
  {
    nouns: { en: 'desk', de: 'schreibtisch', es: 'escritorio', fr: 'bureau', pt: 'escrivaninha' },
    names: 'linnmon*, ikea micke, ikea bekant, ikea malm desk',
  },
  {
    nouns: { en: 'armchair', de: 'sessel', es: 'sillón', fr: 'fauteuil', pt: 'poltrona' },
    names: 'poäng*, poang*, strandmon*, eames lounge',
  },
  {
    nouns: { en: 'grill', de: 'grill', es: 'barbacoa', fr: 'barbecue', pt: 'churrasqueira' },
    names:
      'weber spirit, weber genesis, weber kettle, weber q, weber master, weber original, traeger*, big green egg, kamado*, blackstone',
  },
];
