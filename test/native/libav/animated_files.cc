#include "libav/animated_files.h"

#include <algorithm>
#include <cstddef>

namespace framewright::fixture {
namespace {

using Bytes = std::vector<uint8_t>;

void append(Bytes& to, const Bytes& more) { to.insert(to.end(), more.begin(), more.end()); }
void append(Bytes& to, const std::string& text) { to.insert(to.end(), text.begin(), text.end()); }
void little(Bytes& to, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<uint8_t>(value >> (8 * i)));
}
void big(Bytes& to, uint32_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// LSB-first bit writer, for LZW and VP8L.
class Bits {
 public:
  void put(uint32_t value, int count) {
    for (int i = 0; i < count; ++i, ++length_) {
      if (length_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() = static_cast<uint8_t>(bytes_.back() | ((value >> i & 1) << (length_ % 8)));
    }
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  int length_ = 0;
};

bool isHole(const DrawnFrame& frame, int x, int y) { return frame.holes && ((x + y) & 1) != 0; }

// Colour 1 of the local palette, 0 for transparent pixels; codes never exceed 3 bits.
Bytes gifPixels(const DrawnFrame& frame) {
  constexpr uint32_t kClear = 4, kEnd = 5;
  Bits bits;
  for (int i = 0; i < frame.width * frame.height; ++i) {
    if (i % 2 == 0) bits.put(kClear, 3);
    bits.put(isHole(frame, i % frame.width, i / frame.width) ? 0 : 1, 3);
  }
  bits.put(kEnd, 3);
  Bytes blocks{2};
  for (size_t at = 0; at < bits.bytes().size(); at += 255) {
    const size_t count = std::min<size_t>(255, bits.bytes().size() - at);
    blocks.push_back(static_cast<uint8_t>(count));
    blocks.insert(blocks.end(), bits.bytes().begin() + static_cast<ptrdiff_t>(at),
                  bits.bytes().begin() + static_cast<ptrdiff_t>(at + count));
  }
  blocks.push_back(0);
  return blocks;
}

uint32_t crcOf(const Bytes& bytes, size_t from) {
  uint32_t crc = ~0u;
  for (size_t i = from; i < bytes.size(); ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

void pngChunk(Bytes& to, const std::string& type, const Bytes& body) {
  big(to, static_cast<uint32_t>(body.size()), 4);
  const size_t from = to.size();
  append(to, type);
  append(to, body);
  big(to, crcOf(to, from), 4);
}

// RGBA rows in one stored block.
Bytes pngPixels(const DrawnFrame& frame) {
  Bytes rows;
  for (int y = 0; y < frame.height; ++y) {
    rows.push_back(0);
    for (int x = 0; x < frame.width; ++x) {
      const Rgba& c = frame.color;
      append(rows, isHole(frame, x, y) ? Bytes{0, 0, 0, 0} : Bytes{c.r, c.g, c.b, c.a});
    }
  }
  Bytes stream{0x78, 0x01, 1};
  little(stream, static_cast<uint32_t>(rows.size()), 2);
  little(stream, ~static_cast<uint32_t>(rows.size()), 2);
  append(stream, rows);
  uint32_t a = 1, b = 0;
  for (const uint8_t byte : rows) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  big(stream, b << 16 | a, 4);
  return stream;
}

void webpChunk(Bytes& to, const std::string& type, const Bytes& body) {
  append(to, type);
  little(to, static_cast<uint32_t>(body.size()), 4);
  append(to, body);
  if (body.size() % 2 != 0) to.push_back(0);
}

// Each code has a single symbol, so pixels need no bits.
Bytes webpPixels(const DrawnFrame& frame) {
  Bits bits;
  bits.put(0x2F, 8);
  bits.put(static_cast<uint32_t>(frame.width - 1), 14);
  bits.put(static_cast<uint32_t>(frame.height - 1), 14);
  bits.put(1, 1);  // alpha
  bits.put(0, 3);  // version
  bits.put(0, 3);  // no transforms, no colour cache, one set of codes
  for (const uint32_t symbol : {frame.color.g, frame.color.r, frame.color.b, frame.color.a}) {
    bits.put(0b101, 3);  // simple, one symbol, of 8 bits
    bits.put(symbol, 8);
  }
  bits.put(0b0001, 4);  // distances: the symbol 0 of 1 bit
  bits.put(0, 8);
  return bits.bytes();
}

}  // namespace

Bytes gifOf(const DrawnAnimation& animation) {
  constexpr int kMethods[] = {1, 2, 3};
  Bytes gif;
  append(gif, std::string("GIF89a"));
  little(gif, static_cast<uint32_t>(animation.width), 2);
  little(gif, static_cast<uint32_t>(animation.height), 2);
  append(gif, Bytes{0, 0, 0});
  if (animation.plays != 1) {
    append(gif, std::string("\x21\xFF\x0BNETSCAPE2.0\x03\x01", 16));
    little(gif, static_cast<uint32_t>(std::max(0, animation.plays - 1)), 2);
    gif.push_back(0);
  }
  for (const DrawnFrame& frame : animation.frames) {
    append(gif, Bytes{0x21, 0xF9, 4});
    gif.push_back(static_cast<uint8_t>(kMethods[frame.disposal] << 2 | (frame.holes ? 1 : 0)));
    little(gif, static_cast<uint32_t>(frame.delay), 2);
    append(gif, Bytes{0, 0, 0x2C});
    for (const int value : {frame.x, frame.y, frame.width, frame.height})
      little(gif, static_cast<uint32_t>(value), 2);
    const Rgba& c = frame.color;
    append(gif, Bytes{0x81, 9, 9, 9, c.r, c.g, c.b, 0, 0, 0, 0, 0, 0});
    append(gif, gifPixels(frame));
  }
  gif.push_back(0x3B);
  return gif;
}

Bytes apngOf(const DrawnAnimation& animation) {
  Bytes png{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  Bytes header;
  big(header, static_cast<uint32_t>(animation.width), 4);
  big(header, static_cast<uint32_t>(animation.height), 4);
  append(header, Bytes{8, 6, 0, 0, 0});
  pngChunk(png, "IHDR", header);
  Bytes control;
  big(control, static_cast<uint32_t>(animation.frames.size()), 4);
  big(control, static_cast<uint32_t>(animation.plays), 4);
  pngChunk(png, "acTL", control);
  uint32_t number = 0;
  for (const DrawnFrame& frame : animation.frames) {
    Bytes fields;
    big(fields, number++, 4);
    for (const int value : {frame.width, frame.height, frame.x, frame.y})
      big(fields, static_cast<uint32_t>(value), 4);
    big(fields, static_cast<uint32_t>(frame.delay), 2);
    big(fields, 100, 2);
    append(fields, Bytes{static_cast<uint8_t>(frame.disposal), static_cast<uint8_t>(frame.blends ? 1 : 0)});
    pngChunk(png, "fcTL", fields);
    if (number == 1) {
      pngChunk(png, "IDAT", pngPixels(frame));
    } else {
      Bytes body;
      big(body, number++, 4);
      append(body, pngPixels(frame));
      pngChunk(png, "fdAT", body);
    }
  }
  pngChunk(png, "IEND", {});
  return png;
}

Bytes webpOf(const DrawnAnimation& animation) {
  Bytes chunks;
  Bytes header{0x12, 0, 0, 0};
  little(header, static_cast<uint32_t>(animation.width - 1), 3);
  little(header, static_cast<uint32_t>(animation.height - 1), 3);
  webpChunk(chunks, "VP8X", header);
  Bytes control{255, 255, 255, 255};
  little(control, static_cast<uint32_t>(animation.plays), 2);
  webpChunk(chunks, "ANIM", control);
  for (const DrawnFrame& frame : animation.frames) {
    Bytes body;
    for (const int value : {frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, frame.delay * 10})
      little(body, static_cast<uint32_t>(value), 3);
    body.push_back(static_cast<uint8_t>((frame.blends ? 0 : 2) | (frame.disposal == 1 ? 1 : 0)));
    webpChunk(body, "VP8L", webpPixels(frame));
    webpChunk(chunks, "ANMF", body);
  }
  Bytes webp;
  append(webp, std::string("RIFF"));
  little(webp, static_cast<uint32_t>(chunks.size() + 4), 4);
  append(webp, std::string("WEBP"));
  append(webp, chunks);
  return webp;
}

}  // namespace framewright::fixture
