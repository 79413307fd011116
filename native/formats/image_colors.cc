#include "formats/image_colors.h"

#include <cstring>

#include "core/byte_reader.h"
#include "formats/stills/formats.h"
#include "formats/stills/heif_file.h"

namespace framewright {
namespace {

constexpr size_t kMaxProfileBytes = 4 << 20;

std::vector<uint8_t> profileFrom(std::span<const uint8_t> bytes) {
  if (bytes.size() > kMaxProfileBytes) return {};
  return {bytes.begin(), bytes.end()};
}

// The first chunk of this type in a RIFF file; empty: none.
std::span<const uint8_t> riffChunk(std::span<const uint8_t> file, const char* type) {
  ByteReader reader(file, false);
  reader.skip(12);
  while (reader.remaining() >= 8) {
    const bool isWanted = reader.startsWith(type, 4);
    reader.skip(4);
    const uint32_t size = reader.u32();
    const auto body = reader.take(size);
    if (isWanted || !reader.ok()) return body;
    reader.skip(size & 1);
  }
  return {};
}

std::optional<CodePoints> pngCodePoints(std::span<const uint8_t> file) {
  ByteReader reader(file);
  reader.skip(8);
  while (reader.remaining() >= 12) {
    const uint32_t size = reader.u32();
    if (reader.startsWith("IDAT", 4)) return std::nullopt;
    const bool isWanted = reader.startsWith("cICP", 4) && size == 4;
    reader.skip(4);
    const auto body = reader.take(size);
    reader.skip(4);
    if (!reader.ok()) return std::nullopt;
    if (isWanted) return definedCodePoints({body[0], body[1], body[2], body[3] != 0});
  }
  return std::nullopt;
}

std::span<const uint8_t> tiffProfile(std::span<const uint8_t> file) {
  constexpr int kIccProfile = 34675;
  ByteReader reader(file);
  if (reader.startsWith("II", 2)) reader.setBigEndian(false);
  reader.skip(4);
  reader.seek(reader.u32());
  const int count = reader.u16();
  for (int i = 0; i < count && reader.ok(); ++i) {
    const int tag = reader.u16();
    reader.skip(2);
    const uint32_t size = reader.u32(), offset = reader.u32();
    if (tag != kIccProfile) continue;
    ByteReader body(file);
    body.seek(offset);
    return body.take(size);
  }
  return {};
}

}  // namespace

ImageColors readImageColors(ImageType type, std::span<const uint8_t> file) {
  ImageColors colors;
  if (type == ImageType::kWebp) colors.iccProfile = profileFrom(riffChunk(file, "ICCP"));
  if (type == ImageType::kTiff) colors.iccProfile = profileFrom(tiffProfile(file));
  if (type == ImageType::kPng) colors.codePoints = pngCodePoints(file);
  if (type == ImageType::kAvif || type == ImageType::kHeic) {
    auto heif = readHeif(type, file);
    if (!heif.ok()) return colors;
    colors.iccProfile = profileFrom(heif.value().iccProfile);
    colors.codePoints = heif.value().codePoints;
  }
  return colors;
}

std::optional<AdobeSegment> hideAdobeSegment(std::span<uint8_t> jpeg) {
  ByteReader reader(jpeg);
  reader.skip(2);
  while (reader.remaining() >= 4) {
    const uint32_t marker = reader.u16(), size = reader.u16();
    const size_t at = reader.position();
    constexpr uint32_t kAdobe = 0xFFEE, kScan = 0xFFDA;
    if (marker < 0xFFC0 || marker == kScan || size < 2) return std::nullopt;
    if (marker == kAdobe && size >= 14 && reader.startsWith("Adobe", 5)) {
      jpeg[at] = 'a';
      return AdobeSegment{jpeg[at + 11] == 2};
    }
    reader.skip(size - 2);
  }
  return std::nullopt;
}

}  // namespace framewright
