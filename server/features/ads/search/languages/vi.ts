import { type Language, list } from './language.ts';

export const VI: Language = {
  stopWords: list(
    'và, của, là, có, cho, các, những, một, này, đó, kia, với, trong, ngoài, trên, dưới, từ, đến, để, được, bị, không, rất, cũng, thì, mà, như, khi, nếu, hay, hoặc, tôi, bạn, anh, em, ở, ra, vào, đã, đang, sẽ',
  ),
  forWords: list('cho, dành, dùng, hợp, tương thích'),
  notFor: list('bán, thuê, bé, trẻ, trẻ em, em bé, nam, nữ, người, gia đình, nhà, văn phòng'),
  withWords: list('kèm, tặng, gồm, cùng, và, thêm'),
  accessories: list(
    'phụ kiện, phụ tùng, ốp, ốp lưng, bao, bao da, bọc, áo trùm, sạc, củ sạc, cáp, cáp sạc, dây, dây đeo, dây đồng hồ, đế, giá đỡ, giá, kẹp, khóa, nón bảo hiểm, mũ bảo hiểm, giỏ, yên, bàn đạp, lốp, vỏ, mâm, thảm, lót, đệm lót, gối, pin, kính cường lực, miếng dán, túi, túi đựng, balo, bộ lọc, lõi lọc, điều khiển, remote, tay cầm, chân đế, bơm, dây đàn, rơ moóc',
  ),
  synonyms: [],
};
