/** Reduces a text to ASCII English for festival and flite. Words are preserved, so that their times can be matched. */
export function toPlainEnglish(line: string): string {
  return line
    .replace(/[€]\s?(\d[\d.,]*\d|\d)/g, '$1 euros')
    .replace(/[£]\s?(\d[\d.,]*\d|\d)/g, '$1 pounds')
    .replace(/[¥]\s?(\d[\d.,]*\d|\d)/g, '$1 yen')
    .replace(/(\d)\s?€/g, '$1 euros')
    .replace(/°\s?C\b/g, ' degrees Celsius')
    .replace(/°/g, ' degrees')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[–—]/g, ', ')
    .replace(/…/g, '...')
    .replace(/ß/g, 'ss')
    .replace(/æ/gi, 'ae')
    .replace(/ø/gi, 'o')
    .replace(/ł/gi, 'l')
    .replace(/&/g, ' and ')
    .replace(/\+/g, ' plus ')
    .replace(/@/g, ' at ')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 .,;:!?'$%/-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
