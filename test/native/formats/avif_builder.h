#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libav/media_fixture.h"

// Builds AVIF files byte by byte, including ones that encoders do not write.
namespace {

using Bytes = std::vector<uint8_t>;
using framewright::fixture::media;
namespace fixture = framewright::fixture;

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Bytes big(uint32_t value, int count) {
  Bytes bytes;
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8)
    bytes.push_back(static_cast<uint8_t>(value >> shift));
  return bytes;
}

Bytes text(const std::string& letters) { return Bytes(letters.begin(), letters.end()); }

Bytes box(const std::string& type, const std::vector<Bytes>& parts) {
  const Bytes body = joined(parts);
  return joined({big(static_cast<uint32_t>(body.size()) + 8, 4), text(type), body});
}

// AV1 without a container.
[[maybe_unused]] Bytes av1(const std::string& name, const std::string& source, const std::string& format) {
  return fixture::readFile(
      media(name, "-f lavfi -i \"" + source + ",scale=out_range=pc:out_color_matrix=bt601,format=" + format +
                      "\" -frames:v 1 -c:v libaom-av1 -still-picture 1 -crf 1 -cpu-used 8 "
                      "-pix_fmt " +
                      format + " -color_range pc -colorspace smpte170m -f obu"));
}

struct AvifShape {
  Bytes colour, alpha;  // alpha: empty without
  std::string type = "av01";
  std::vector<Bytes> more;  // further properties of the primary image
  bool premultiplied = false;
  uint32_t width = 64, height = 48,
           beyond = 0;  // number of bytes by which the declared colour extent is too long
  int times = 1;        // number of times the colour extent is declared
};

// Layout of common writers: metadata, then data.
[[maybe_unused]] std::string avif(const std::string& name, const AvifShape& shape) {
  const auto made = [&shape](uint32_t dataAt) {
    const Bytes zero = big(0, 4), one = big(1, 2), two = big(2, 2);
    const auto kind = [&](const Bytes& key, const std::string& type) {
      return box("infe", {big(2u << 24, 4), key, big(0, 2), text(type), Bytes{0}});
    };
    const auto place = [&](const Bytes& key, uint32_t at, size_t length) {
      return joined({key, big(0, 2), big(1, 2), big(at, 4), big(static_cast<uint32_t>(length), 4)});
    };
    const auto colourPlace = [&] {
      std::vector<Bytes> parts{big(1, 2), big(0, 2), big(static_cast<uint32_t>(shape.times), 2)};
      for (int i = 0; i < shape.times; ++i) {
        parts.push_back(big(dataAt, 4));
        parts.push_back(big(static_cast<uint32_t>(shape.colour.size() + shape.beyond), 4));
      }
      return joined(parts);
    };
    const bool hasAlpha = !shape.alpha.empty();
    std::vector<Bytes> properties{
        box("ispe", {zero, big(shape.width, 4), big(shape.height, 4)}),
        box("auxC", {zero, text("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"), Bytes{0}})};
    Bytes uses{1};
    for (const Bytes& property : shape.more) {
      properties.push_back(property);
      uses.push_back(static_cast<uint8_t>(properties.size()));
    }
    const auto colourEnd = static_cast<uint32_t>(dataAt + shape.colour.size());
    std::vector<Bytes> references{zero};
    if (hasAlpha) references.push_back(box("auxl", {two, one, one}));
    if (shape.premultiplied) references.push_back(box("prem", {one, one, two}));
    return joined(
        {box("ftyp", {text("avif"), zero, text("mif1"), text("avif")}),
         box("meta", {zero, box("hdlr", {zero, zero, text("pict"), Bytes(13)}), box("pitm", {zero, one}),
                      box("iloc", {zero, big(0x4400, 2), big(hasAlpha ? 2 : 1, 2), colourPlace(),
                                   hasAlpha ? place(two, colourEnd, shape.alpha.size()) : Bytes()}),
                      box("iinf", {zero, big(hasAlpha ? 2 : 1, 2), kind(one, shape.type),
                                   hasAlpha ? kind(two, "av01") : Bytes()}),
                      box("iref", references),
                      box("iprp", {box("ipco", properties),
                                   box("ipma", {zero, big(hasAlpha ? 2 : 1, 4), one,
                                                Bytes{static_cast<uint8_t>(uses.size())}, uses,
                                                hasAlpha ? joined({two, Bytes{2, 1, 2}}) : Bytes()})})})});
  };
  const auto dataAt = static_cast<uint32_t>(made(0).size() + 8);
  fixture::writeFile(fixture::path(name), joined({made(dataAt), box("mdat", {shape.colour, shape.alpha})}));
  return fixture::path(name);
}

}  // namespace
