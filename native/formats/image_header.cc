#include "formats/image_header.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/byte_reader.h"
#include "formats/stills/formats.h"
#include "formats/stills/heif_file.h"
#include "formats/supported_files.h"
#include "formats/unsupported_format.h"

namespace framewright {
namespace {

Result<ImageHeader> readPng(std::span<const uint8_t> bytes) {
  ImageHeader header{ImageType::kPng};
  ByteReader reader(bytes);
  reader.skip(8);
  const uint32_t length = reader.u32();
  if (!reader.startsWith("IHDR", 4) || length != 13) return damagedHeader(header.type);
  reader.skip(4);
  const uint32_t width = reader.u32(), height = reader.u32();
  if (!reader.ok() || width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
    return damagedHeader(header.type);
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(height);
  reader.skip(5 + 4);
  while (reader.ok()) {
    const uint32_t size = reader.u32();
    if (reader.startsWith("IEND", 4)) return header;
    const bool exif = reader.startsWith("eXIf", 4);
    reader.skip(4);
    const auto body = reader.take(size);
    if (exif && reader.ok()) header.exifOrientation = tiffOrientation(body);
    reader.skip(4);
  }
  header.complete = false;
  return header;
}

bool isFrameHeader(uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

// Skips the entropy-coded bytes of a scan up to the next marker.
void skipScan(ByteReader& reader) {
  while (reader.ok() && reader.remaining() >= 2) {
    if (reader.u8() != 0xFF) continue;
    const uint8_t next = reader.u8();
    const bool stuffing = next == 0 || (next >= 0xD0 && next <= 0xD7);
    if (stuffing) continue;
    reader.seek(reader.position() - (next == 0xFF ? 1 : 2));
    if (next != 0xFF) return;
  }
  reader.skip(reader.remaining() + 1);  // no marker follows
}

Result<ImageHeader> readJpeg(std::span<const uint8_t> bytes) {
  ImageHeader header{ImageType::kJpeg};
  ByteReader reader(bytes);
  reader.skip(2);
  while (reader.ok()) {
    if (reader.u8() != 0xFF) {
      if (header.width == 0) return damagedHeader(header.type);
      continue;  // stray bytes between segments
    }
    uint8_t marker = reader.u8();
    while (marker == 0xFF) marker = reader.u8();
    if (marker == 0xD9) return header.width > 0 ? Result<ImageHeader>(header) : damagedHeader(header.type);
    if (marker == 0 || (marker >= 0xD0 && marker <= 0xD8) || marker == 0x01) continue;
    const uint16_t length = reader.u16();
    if (length < 2) break;
    const auto body = reader.take(length - 2u);
    if (!reader.ok()) break;
    if (isFrameHeader(marker) && header.width == 0) {
      ByteReader frame(body);
      frame.skip(1);
      header.height = frame.u16();
      header.width = frame.u16();
      if (!frame.ok() || header.width == 0 || header.height == 0) return damagedHeader(header.type);
    } else if (marker == 0xE1 && body.size() > 6 && std::memcmp(body.data(), "Exif\0", 6) == 0) {
      header.exifOrientation = tiffOrientation(body.subspan(6));
    } else if (marker == 0xDA) {
      skipScan(reader);
    }
  }
  if (header.width == 0) return damagedHeader(header.type);
  header.complete = false;
  return header;
}

void readWebpChunk(const ByteReader& at, std::span<const uint8_t> body, ImageHeader& header) {
  ByteReader reader(body, false);
  if (at.startsWith("VP8X", 4)) {
    reader.skip(4);
    header.width = static_cast<int>(reader.read(3)) + 1;
    header.height = static_cast<int>(reader.read(3)) + 1;
  } else if (at.startsWith("VP8L", 4) && header.width == 0) {
    reader.skip(1);
    const uint32_t bits = reader.u32();
    header.width = static_cast<int>(bits & 0x3FFF) + 1;
    header.height = static_cast<int>((bits >> 14) & 0x3FFF) + 1;
  } else if (at.startsWith("VP8 ", 4) && header.width == 0) {
    reader.skip(6);
    header.width = reader.u16() & 0x3FFF;
    header.height = reader.u16() & 0x3FFF;
  } else if (at.startsWith("EXIF", 4)) {
    const bool prefixed = body.size() > 6 && std::memcmp(body.data(), "Exif\0", 6) == 0;
    header.exifOrientation = tiffOrientation(prefixed ? body.subspan(6) : body);
  }
}

Result<ImageHeader> readWebp(std::span<const uint8_t> bytes) {
  ImageHeader header{ImageType::kWebp};
  ByteReader reader(bytes, false);
  reader.skip(4);
  const uint64_t end = static_cast<uint64_t>(reader.u32()) + 8;
  reader.skip(4);
  bool complete = end <= bytes.size();
  while (reader.ok() && reader.remaining() >= 8 && reader.position() + 8 <= end) {
    const ByteReader at = reader;
    reader.skip(4);
    const uint32_t size = reader.u32();
    const size_t available = std::min<size_t>(size, reader.remaining());
    complete = complete && available == size;
    readWebpChunk(at, reader.take(available), header);
    if ((size & 1) != 0 && reader.remaining() > 0) reader.skip(1);
  }
  if (header.width <= 0 || header.height <= 0) return damagedHeader(header.type);
  header.complete = complete;
  return header;
}

// Skips length-prefixed blocks up to the empty one.
void skipGifBlocks(ByteReader& reader) {
  for (uint8_t size = reader.u8(); size != 0 && reader.ok(); size = reader.u8()) reader.skip(size);
}

Result<ImageHeader> readGif(std::span<const uint8_t> bytes) {
  ImageHeader header{ImageType::kGif};
  ByteReader reader(bytes, false);
  reader.skip(6);
  header.width = reader.u16();
  header.height = reader.u16();
  const uint8_t flags = reader.u8();
  reader.skip(2);
  if ((flags & 0x80) != 0) reader.skip(size_t{3} << ((flags & 7) + 1));
  if (header.width == 0 || header.height == 0) return damagedHeader(header.type);
  while (reader.ok()) {
    const uint8_t kind = reader.u8();
    if (kind == 0x21) {
      reader.skip(1);
      skipGifBlocks(reader);
    } else if (kind == 0x2C) {
      reader.skip(8);
      const uint8_t local = reader.u8();
      if ((local & 0x80) != 0) reader.skip(size_t{3} << ((local & 7) + 1));
      reader.skip(1);
      skipGifBlocks(reader);
      if (reader.ok()) return header;
    } else {
      break;
    }
  }
  header.complete = false;
  return header;
}

Result<ImageHeader> readHeaderOf(ImageType type, std::span<const uint8_t> bytes) {
  switch (type) {
    case ImageType::kPng:
      return readPng(bytes);
    case ImageType::kJpeg:
      return readJpeg(bytes);
    case ImageType::kWebp:
      return readWebp(bytes);
    case ImageType::kGif:
      return readGif(bytes);
    case ImageType::kBmp:
      return readBmpHeader(bytes);
    case ImageType::kTiff:
      return readTiffHeader(bytes);
    case ImageType::kAvif:
    case ImageType::kHeic: {
      FW_ASSIGN_OR_RETURN(const HeifFile file, readHeif(type, bytes));
      return file.header;
    }
  }
  return damagedHeader(type);
}

}  // namespace

const char* imageTypeName(ImageType type) {
  constexpr const char* kNames[] = {"png", "jpeg", "webp", "gif", "bmp", "tiff", "avif", "heic"};
  return kNames[static_cast<size_t>(type)];
}

Error damagedHeader(ImageType type) {
  return {ErrorCode::MEDIA_UNREADABLE, std::string("the ") + imageTypeName(type) + " header is damaged", ""};
}

Error truncatedImage(ImageType type) {
  return {ErrorCode::DECODE_FAILED,
          std::string("the ") + imageTypeName(type) + " file is truncated: its image is incomplete", ""};
}

Error unsupportedKind(ImageType type, const std::string& what) {
  return {ErrorCode::MEDIA_UNSUPPORTED,
          std::string(type == ImageType::kAvif ? "an " : "a ") + imageTypeName(type) + " " + what +
              " is not supported",
          ""};
}

std::optional<ImageType> sniffImageType(std::span<const uint8_t> bytes) {
  const ByteReader reader(bytes);
  if (reader.startsWith("\x89PNG\r\n\x1a\n", 8)) return ImageType::kPng;
  if (reader.startsWith("\xff\xd8\xff", 3)) return ImageType::kJpeg;
  if (reader.startsWith("GIF87a", 6) || reader.startsWith("GIF89a", 6)) return ImageType::kGif;
  if (bytes.size() >= 12 && reader.startsWith("RIFF", 4) && std::memcmp(bytes.data() + 8, "WEBP", 4) == 0) {
    return ImageType::kWebp;
  }
  if (reader.startsWith("BM", 2)) return ImageType::kBmp;
  if (reader.startsWith("II*\0", 4) || reader.startsWith("MM\0*", 4)) return ImageType::kTiff;
  return sniffHeifType(bytes);
}

const char* sniffForeignImage(std::span<const uint8_t> bytes) {
  const ByteReader reader(bytes);
  if (reader.startsWith("II+\0", 4) || reader.startsWith("MM\0+", 4)) return "bigtiff";
  if (reader.startsWith("8BPS", 4)) return "psd";
  if (bytes.size() >= 12 && std::memcmp(bytes.data() + 4, "ftypmif1", 8) == 0) return "heif";
  return sniffForeignText(bytes.first(std::min<size_t>(bytes.size(), kSignatureBytes)));
}

Result<ImageHeader> readImageHeader(std::span<const uint8_t> bytes) {
  const auto type = sniffImageType(bytes);
  if (!type) {
    const char* foreign = sniffForeignImage(bytes);
    return Error{ErrorCode::MEDIA_UNSUPPORTED,
                 (foreign != nullptr ? std::string("the format ") + foreign + " is not supported"
                                     : std::string("the file is not a known image format")) +
                     "; allowed: " + kSupportedImages,
                 ""};
  }
  auto header = readHeaderOf(*type, bytes);
  if (!header.ok()) return header;
  const ImageHeader& found = header.value();
  const int64_t pixels = static_cast<int64_t>(found.width) * found.height;
  if (found.width > kMaxImageSide || found.height > kMaxImageSide || pixels > kMaxImagePixels) {
    return Error{ErrorCode::MEDIA_UNSUPPORTED,
                 "an image of " + std::to_string(found.width) + "x" + std::to_string(found.height) +
                     " is too large; at most 50 megapixels and 16384 a side are allowed",
                 ""};
  }
  if (!found.complete) return truncatedImage(*type);
  return header;
}

}  // namespace framewright
