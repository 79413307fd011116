#include "formats/stills/heif_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "core/byte_reader.h"
#include "formats/stills/formats.h"

namespace framewright {
namespace {

constexpr size_t kMaxItems = 4096, kMaxParts = 256;
constexpr int kMaxTiles = 1024;

struct Box {
  char type[5] = {};
  std::span<const uint8_t> body;
  bool isWhole = true;
  bool is(const char* name) const { return std::memcmp(type, name, 4) == 0; }
};

// Reads the next box; nothing if it is incomplete. With `rest`, a box that exceeds the file is returned
// truncated.
std::optional<Box> nextBox(ByteReader& reader, bool rest = false) {
  if (reader.remaining() < 8) return std::nullopt;
  uint64_t size = reader.u32();
  Box box;
  for (int i = 0; i < 4; ++i) box.type[i] = static_cast<char>(reader.u8());
  uint64_t head = 8;
  if (size == 1) {
    size = uint64_t{reader.u32()} << 32;
    size |= reader.u32();
    head = 16;
  }
  if (size == 0 && reader.ok()) size = head + reader.remaining();
  if (!reader.ok() || size < head) return std::nullopt;
  const uint64_t length = size - head;
  if (length > reader.remaining() && !rest) return std::nullopt;
  box.isWhole = length <= reader.remaining();
  box.body = reader.take(static_cast<size_t>(std::min<uint64_t>(length, reader.remaining())));
  return box;
}

struct Item {
  char type[5] = {};
  std::vector<HeifFile::Part> parts;
  std::vector<uint32_t> properties;  // indices from 1
  std::vector<uint32_t> tiles;       // items, of a grid
  uint32_t alphaOf = 0, premultipliedBy = 0;
  bool isElsewhere = false;  // location is not supported
};

struct Meta {
  std::map<uint32_t, Item> items;
  std::vector<Box> properties;
  uint32_t primary = 0;
  size_t ownData = 0;  // offset of the idat box's contents
  bool damaged = false;
};

uint64_t number(ByteReader& reader, int bytes) {
  if (bytes == 8) {
    const uint64_t high = reader.u32();
    return high << 32 | reader.u32();
  }
  return bytes == 4 ? reader.u32() : 0;
}

// Reads an id of two or four bytes.
uint32_t id(ByteReader& reader, bool isLong) { return isLong ? reader.u32() : reader.u16(); }

int versionOf(ByteReader& reader, uint32_t* flags = nullptr) {
  const int version = reader.u8();
  const uint32_t read = reader.read(3);
  if (flags != nullptr) *flags = read;
  return version;
}

void readItemLocations(ByteReader reader, Meta& meta) {
  const int version = versionOf(reader);
  const uint32_t sizes = reader.u16();
  const int offsetBytes = static_cast<int>(sizes >> 12), lengthBytes = static_cast<int>(sizes >> 8 & 15);
  const int baseBytes = static_cast<int>(sizes >> 4 & 15);
  const int indexBytes = version > 0 ? static_cast<int>(sizes & 15) : 0;
  const uint32_t count = id(reader, version >= 2);
  for (uint32_t i = 0; i < count && reader.ok() && meta.items.size() < kMaxItems; ++i) {
    Item& item = meta.items[id(reader, version >= 2)];
    const int method = version > 0 ? reader.u16() & 15 : 0;
    const bool otherFile = reader.u16() != 0;
    const uint64_t base = number(reader, baseBytes);
    const int parts = reader.u16();
    item.isElsewhere = otherFile || method > 1 || parts > static_cast<int>(kMaxParts);
    for (int k = 0; k < parts && reader.ok(); ++k) {
      reader.skip(static_cast<size_t>(indexBytes));
      const uint64_t from = base + number(reader, offsetBytes), length = number(reader, lengthBytes);
      if (item.isElsewhere) continue;
      const uint64_t start = method == 1 ? meta.ownData : 0;
      item.parts.push_back({static_cast<size_t>(start + from), static_cast<size_t>(length)});
    }
  }
  meta.damaged = meta.damaged || !reader.ok();
}

void readItemTypes(ByteReader reader, Meta& meta) {
  const int version = versionOf(reader);
  reader.skip(version == 0 ? 2 : 4);
  while (auto box = nextBox(reader)) {
    ByteReader entry(box->body);
    const int own = versionOf(entry);
    if (!box->is("infe") || own < 2 || meta.items.size() >= kMaxItems) continue;
    Item& item = meta.items[id(entry, own >= 3)];
    entry.skip(2);
    for (int i = 0; i < 4; ++i) item.type[i] = static_cast<char>(entry.u8());
  }
}

void readReferences(ByteReader reader, Meta& meta) {
  const bool isLong = versionOf(reader) > 0;
  while (auto box = nextBox(reader)) {
    ByteReader entry(box->body);
    const uint32_t from = id(entry, isLong);
    const int count = entry.u16();
    for (int i = 0; i < count && entry.ok(); ++i) {
      const uint32_t to = id(entry, isLong);
      if (box->is("auxl") && to == meta.primary && meta.items.count(from) != 0) meta.items[from].alphaOf = to;
      if (box->is("dimg") && meta.items.count(from) != 0 &&
          meta.items[from].tiles.size() < static_cast<size_t>(kMaxTiles))
        meta.items[from].tiles.push_back(to);
      if (box->is("prem") && meta.items.count(from) != 0) meta.items[from].premultipliedBy = to;
    }
  }
}

void readProperties(ByteReader reader, Meta& meta) {
  while (auto box = nextBox(reader)) {
    ByteReader inner(box->body);
    if (box->is("ipco")) {
      while (auto property = nextBox(inner)) meta.properties.push_back(*property);
    } else if (box->is("ipma")) {
      uint32_t flags = 0;
      const bool isLong = versionOf(inner, &flags) > 0;
      const uint32_t count = inner.u32();
      for (uint32_t i = 0; i < count && inner.ok(); ++i) {
        const auto item = meta.items.find(id(inner, isLong));
        const int uses = inner.u8();
        for (int k = 0; k < uses && inner.ok(); ++k) {
          const uint32_t index = (flags & 1) != 0 ? inner.u16() & 0x7FFFu : inner.u8() & 0x7Fu;
          if (item != meta.items.end() && item->second.properties.size() < kMaxParts)
            item->second.properties.push_back(index);
        }
      }
    }
  }
}

// Visits the boxes in dependency order, independent of their order in the file.
Meta readMeta(std::span<const uint8_t> body, size_t at) {
  Meta meta;
  const auto each = [body](const char* name, const auto& act) {
    ByteReader reader(body);
    reader.skip(4);
    while (auto box = nextBox(reader)) {
      if (box->is(name)) act(*box);
    }
  };
  each("pitm", [&meta](const Box& box) {
    ByteReader reader(box.body);
    const bool isLong = versionOf(reader) > 0;
    meta.primary = id(reader, isLong);
  });
  each("idat", [&meta, body, at](const Box& box) {
    meta.ownData = at + static_cast<size_t>(box.body.data() - body.data());
  });
  each("iloc", [&meta](const Box& box) { readItemLocations(ByteReader(box.body), meta); });
  each("iinf", [&meta](const Box& box) { readItemTypes(ByteReader(box.body), meta); });
  each("iref", [&meta](const Box& box) { readReferences(ByteReader(box.body), meta); });
  each("iprp", [&meta](const Box& box) { readProperties(ByteReader(box.body), meta); });
  return meta;
}

// The item's last property of this type; the reader is positioned at its contents.
std::optional<ByteReader> propertyOf(const Meta& meta, const Item& item, const char* name) {
  std::optional<ByteReader> found;
  for (const uint32_t index : item.properties) {
    if (index < 1 || index > meta.properties.size() || !meta.properties[index - 1].is(name)) continue;
    found = ByteReader(meta.properties[index - 1].body);
  }
  return found;
}

// An image may have code points and an ICC profile.
void readColors(const Meta& meta, const Item& item, HeifFile& heif) {
  for (const uint32_t index : item.properties) {
    if (index < 1 || index > meta.properties.size() || !meta.properties[index - 1].is("colr")) continue;
    ByteReader colors(meta.properties[index - 1].body);
    const bool isNclx = colors.startsWith("nclx", 4);
    const bool isProfile = colors.startsWith("prof", 4) || colors.startsWith("rICC", 4);
    colors.skip(4);
    if (isProfile) heif.iccProfile = colors.take(colors.remaining());
    if (!isNclx) continue;
    const int primaries = colors.u16(), transfer = colors.u16(), matrix = colors.u16();
    heif.codePoints = definedCodePoints({primaries, transfer, matrix, (colors.u8() & 0x80) != 0});
  }
}

bool isAlpha(const Meta& meta, const Item& item) {
  auto kind = propertyOf(meta, item, "auxC");
  if (item.alphaOf == 0 || !kind) return false;
  kind->skip(4);
  for (const char* name : {"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"}) {
    if (kind->startsWith(name, std::strlen(name))) return true;
  }
  return false;
}

// Combines irot (counterclockwise) and imir to an EXIF orientation.
int orientationOf(const Meta& meta, const Item& item) {
  auto turn = propertyOf(meta, item, "irot"), mirror = propertyOf(meta, item, "imir");
  const int quarters = turn ? turn->u8() & 3 : 0;
  constexpr int kRotated[] = {1, 8, 3, 6}, kThenUpsideDown[] = {4, 5, 2, 7}, kThenSideways[] = {2, 7, 4, 5};
  if (!mirror) return kRotated[quarters];
  return (mirror->u8() & 1) == 0 ? kThenUpsideDown[quarters] : kThenSideways[quarters];
}

// Whether all extents are within the file and their total size does not exceed it.
bool isWithinFile(const HeifFile::TiledImage& image, size_t size) {
  size_t left = size;
  for (const HeifFile::Tile& tile : image.tiles) {
    for (const HeifFile::Part& part : tile.parts) {
      if (part.offset > size || part.length == 0 || part.length > size - part.offset || part.length > left)
        return false;
      left -= part.length;
    }
  }
  return true;
}

const char* codedTypeOf(ImageType type) { return type == ImageType::kHeic ? "hvc1" : "av01"; }

// Reads the size and the tiles of an item, which is coded itself or a grid of coded items.
class TileReader {
 public:
  TileReader(ImageType type, const Meta& meta, std::span<const uint8_t> file)
      : type_(type), meta_(meta), file_(file) {}

  Result<HeifFile::TiledImage> read(const Item& item) const {
    HeifFile::TiledImage image;
    auto size = propertyOf(meta_, item, "ispe");
    if (size) size->skip(4);
    const uint32_t width = size ? size->u32() : 0, height = size ? size->u32() : 0;
    if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX || item.parts.empty())
      return damagedHeader(type_);
    image.width = image.codedWidth = static_cast<int>(width);
    image.height = image.codedHeight = static_cast<int>(height);
    if (isGrid(item)) {
      FW_RETURN_IF_ERROR(readGrid(item, image));
    } else {
      FW_RETURN_IF_ERROR(addTile(item, image));
    }
    if (auto aperture = propertyOf(meta_, item, "clap")) crop(*aperture, image);
    return image;
  }

  static bool isGrid(const Item& item) { return std::memcmp(item.type, "grid", 4) == 0; }

 private:
  Status addTile(const Item& item, HeifFile::TiledImage& image) const {
    if (std::memcmp(item.type, codedTypeOf(type_), 4) != 0 || item.isElsewhere)
      return unsupportedKind(
          type_, type_ == ImageType::kHeic ? "with another codec than HEVC" : "with another codec than AV1");
    if (item.parts.empty()) return damagedHeader(type_);
    HeifFile::Tile tile{item.parts, {}};
    if (auto configuration = propertyOf(meta_, item, "hvcC"))
      tile.configuration = configuration->take(configuration->remaining());
    if (type_ == ImageType::kHeic && tile.configuration.empty()) return damagedHeader(type_);
    image.tiles.push_back(std::move(tile));
    return {};
  }

  // A clean aperture: its size, and the distance of its centre from that of the image, as fractions. One that
  // is not inside of the image is ignored.
  static void crop(ByteReader& aperture, HeifFile::TiledImage& image) {
    double values[4] = {};
    for (double& value : values) {
      const auto numerator = static_cast<int32_t>(aperture.u32());
      const auto denominator = static_cast<int32_t>(aperture.u32());
      value = denominator == 0 ? 0 : static_cast<double>(numerator) / denominator;
    }
    const auto [width, height, right, down] = values;
    const double left = std::round((image.width - width) / 2 + right);
    const double top = std::round((image.height - height) / 2 + down);
    const bool isInside = width >= 1 && height >= 1 && left >= 0 && top >= 0 && left + width <= image.width &&
                          top + height <= image.height;
    if (!aperture.ok() || !isInside) return;
    image.left = static_cast<int>(left);
    image.top = static_cast<int>(top);
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
  }

  Status readGrid(const Item& item, HeifFile::TiledImage& image) const {
    const HeifFile::Part& part = item.parts.front();
    if (item.isElsewhere || part.offset > file_.size() || part.length > file_.size() - part.offset)
      return damagedHeader(type_);
    ByteReader grid(file_.subspan(part.offset, part.length));
    grid.skip(1);
    const bool isLong = (grid.u8() & 1) != 0;
    image.rows = grid.u8() + 1;
    image.columns = grid.u8() + 1;
    const uint32_t width = id(grid, isLong), height = id(grid, isLong);
    const bool fits = grid.ok() && image.rows * image.columns <= kMaxTiles &&
                      item.tiles.size() == static_cast<size_t>(image.rows * image.columns) &&
                      width == static_cast<uint32_t>(image.width) &&
                      height == static_cast<uint32_t>(image.height);
    if (!fits) return damagedHeader(type_);
    for (const uint32_t key : item.tiles) {
      const auto tile = meta_.items.find(key);
      if (tile == meta_.items.end()) return damagedHeader(type_);
      FW_RETURN_IF_ERROR(addTile(tile->second, image));
    }
    return {};
  }

  const ImageType type_;
  const Meta& meta_;
  const std::span<const uint8_t> file_;
};

constexpr size_t kMajorBrand = 8, kMinorVersion = 12;  // offsets in the file

// Whether a brand of the file, at its offset, fulfils the condition.
template <typename Condition>
bool hasBrand(std::span<const uint8_t> start, Condition condition) {
  ByteReader reader(start);
  const size_t size = std::min<size_t>(reader.u32(), std::min<size_t>(start.size(), 256));
  if (!reader.startsWith("ftyp", 4)) return false;
  for (size_t at = kMajorBrand; at + 4 <= size; at += 4) {
    if (at != kMinorVersion && condition(at, &start[at])) return true;
  }
  return false;
}

}  // namespace

std::optional<ImageType> sniffHeifType(std::span<const uint8_t> start) {
  const auto isBrand = [](const char* name) {
    return [name](size_t, const uint8_t* brand) { return std::memcmp(brand, name, 4) == 0; };
  };
  const auto isMajor = [](const char* name) {
    return [name](size_t at, const uint8_t* brand) {
      return at == kMajorBrand && std::memcmp(brand, name, 4) == 0;
    };
  };
  if (hasBrand(start, isBrand("avif")) || hasBrand(start, isMajor("avis"))) return ImageType::kAvif;
  for (const char* name : {"heic", "heix", "heim", "heis"}) {
    if (hasBrand(start, isBrand(name))) return ImageType::kHeic;
  }
  for (const char* name : {"hevc", "hevx"}) {
    if (hasBrand(start, isMajor(name))) return ImageType::kHeic;
  }
  return std::nullopt;
}

bool isHeifSequence(std::span<const uint8_t> start) {
  return hasBrand(start, [](size_t, const uint8_t* brand) {
    return std::memcmp(brand, "avis", 4) == 0 || std::memcmp(brand, "hevc", 4) == 0;
  });
}

Result<HeifFile> readHeif(ImageType type, std::span<const uint8_t> file) {
  HeifFile heif;
  ByteReader reader(file);
  std::optional<Meta> meta;
  while (!meta) {
    const auto box = nextBox(reader, true);
    if (!box) break;
    if (!box->isWhole) return truncatedImage(type);
    if (box->is("meta")) meta = readMeta(box->body, static_cast<size_t>(box->body.data() - file.data()));
  }
  if (!meta) {
    return reader.remaining() > 0 ? Result<HeifFile>(damagedHeader(type))
                                  : unsupportedKind(type, "without a primary image");
  }
  const auto found = meta->items.find(meta->primary);
  if (meta->damaged || found == meta->items.end()) return damagedHeader(type);
  const Item& item = found->second;
  const TileReader images(type, *meta, file);
  FW_ASSIGN_OR_RETURN(heif.color, images.read(item));
  heif.header = {type, heif.color.width, heif.color.height, orientationOf(*meta, item)};
  for (const auto& [key, other] : meta->items) {
    if (!isAlpha(*meta, other)) continue;
    auto alpha = images.read(other);
    if (!alpha.ok()) continue;
    heif.alpha = alpha.take();
    heif.header.premultiplied = item.premultipliedBy == key;
    break;
  }
  heif.header.complete = isWithinFile(heif.color, file.size()) && isWithinFile(heif.alpha, file.size());
  // Colors of a grid may be those of its tiles.
  const auto tile = item.tiles.empty() ? meta->items.end() : meta->items.find(item.tiles.front());
  if (tile != meta->items.end()) readColors(*meta, tile->second, heif);
  readColors(*meta, item, heif);
  return heif;
}

}  // namespace framewright
