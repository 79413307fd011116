#include "libav/light/content_light.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"

using namespace framewright;

namespace {

using Bytes = std::vector<uint8_t>;

void append(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

Bytes placeholder() {
  int max = 0, average = 0;
  REQUIRE(std::sscanf(contentLightPlaceholder().c_str(), "%d,%d", &max, &average) == 2);
  return {static_cast<uint8_t>(max >> 8), static_cast<uint8_t>(max), static_cast<uint8_t>(average >> 8),
          static_cast<uint8_t>(average)};
}

const Bytes kBox{'c', 'l', 'l', 'i'}, kSei{0, 0, 1, 0x4E, 0x01, 0x90, 0x04}, kObu{0x2A, 0x06, 0x01};

Bytes written(const Bytes& file, const ContentLight& light, bool isSegment = false) {
  const std::string path = fixture::path("light.bin");
  fixture::writeFile(path, file);
  REQUIRE((isSegment ? writeSegmentLight(path, light) : writeContentLight(path, light)).ok());
  return fixture::readFile(path);
}

}  // namespace

TEST_CASE("the content light level replaces placeholders wherever they are in a file") {
  constexpr size_t kBlock = 1 << 20;
  for (size_t before = 0; before < 12; ++before) {
    Bytes file(2 * kBlock, 0x55);
    const Bytes box = [&] {
      Bytes bytes = kBox;
      append(bytes, placeholder());
      return bytes;
    }();
    std::ranges::copy(box, file.begin() + static_cast<ptrdiff_t>(kBlock - before));
    Bytes expected = file;
    const Bytes light{0x03, 0xE8, 0x00, 0xC8};
    std::ranges::copy(light, expected.begin() + static_cast<ptrdiff_t>(kBlock - before + kBox.size()));
    CAPTURE(before);
    CHECK(written(file, {1000, 200}) == expected);
  }
}

TEST_CASE("bytes that look like a placeholder stay where nothing names light") {
  Bytes file{1, 2, 3, 4};
  append(file, placeholder());
  CHECK(written(file, {1000, 200}) == file);
}

TEST_CASE("the content light level needs no escape in HEVC") {
  Bytes file = kSei;
  append(file, placeholder());
  const Bytes changed = written(file, {256, 3});
  CHECK(Bytes(changed.end() - 4, changed.end()) == Bytes{0x01, 0x01, 0x00, 0x03});
}

TEST_CASE("segments have their light in packets, and in no header") {
  Bytes headers = kSei;
  append(headers, placeholder());
  Bytes packet{0, 0, 0, 1, 0x46, 0x01, 0x50};
  append(packet, kSei);
  append(packet, placeholder());
  append(packet, {0x80, 0, 0, 1, 0x28, 0x01});
  hideInHeaders(headers);
  Bytes file = headers;
  append(file, packet);
  Bytes segment = written(file, {4000, 321}, true);
  CHECK(Bytes(segment.begin(), segment.begin() + static_cast<ptrdiff_t>(headers.size())) == headers);
  Bytes changed(segment.begin() + static_cast<ptrdiff_t>(headers.size()), segment.end());
  const auto light = takeContentLight(changed, AV_CODEC_ID_HEVC);
  REQUIRE(light);
  CHECK(light->max == 4000);
  CHECK(light->maxAverage == 321);
  CHECK(changed == packet);
  // The file of all segments has it everywhere.
  const Bytes whole = written(file, {4000, 321});
  CHECK(std::ranges::search(whole, placeholder()).empty());
  CHECK(whole.size() == file.size());
  CHECK(whole[headers.size() - 4] == 0x0F);
}

TEST_CASE("the content light level replaces the elements of Matroska") {
  const Bytes light = placeholder();
  Bytes file{0x55,     0xBA,     0x81, 0x10, 0x55, 0xBC,     0x82,
             light[0], light[1], 0x55, 0xBD, 0x82, light[2], light[3]};
  // Only together.
  append(file, {0x55, 0xBC, 0x82, light[0], light[1], 0xEC, 0x80});
  Bytes expected = file;
  expected[7] = 0x03;
  expected[8] = 0xE8;
  expected[12] = 0x00;
  expected[13] = 0xC8;
  CHECK(written(file, {1000, 200}) == expected);
}

TEST_CASE("the light of VP9 is appended to key frames of segments") {
  const Bytes frame{0x92, 0x49, 0x83, 0x42, 0, 1, 2, 3, 4, 5, 6, 7};
  const PacketPtr packet(av_packet_alloc());
  REQUIRE(av_new_packet(packet.get(), static_cast<int>(frame.size())) >= 0);
  std::ranges::copy(frame, packet->data);
  CHECK(!removeContentLight(*packet));
  REQUIRE(appendContentLight(*packet).ok());
  const Bytes segment = written({packet->data, packet->data + packet->size}, {4000, 321}, true);
  REQUIRE(segment.size() == static_cast<size_t>(packet->size));
  std::ranges::copy(segment, packet->data);
  const auto light = removeContentLight(*packet);
  REQUIRE(light);
  CHECK(light->max == 4000);
  CHECK(light->maxAverage == 321);
  CHECK(Bytes(packet->data, packet->data + packet->size) == frame);
}

TEST_CASE("the light of AV1 is found among the OBUs before the frame only") {
  const Bytes sequence{0x12, 0x00, 0x0A, 0x02, 0x55, 0x55};
  Bytes packet = sequence;
  append(packet, kObu);
  append(packet, {0x01, 0x90, 0x00, 0x64, 0x80, 0x32, 0x04, 1, 2, 3, 4});
  const auto light = takeContentLight(packet, AV_CODEC_ID_AV1);
  REQUIRE(light);
  CHECK(light->max == 400);
  CHECK(light->maxAverage == 100);
  Bytes inFrame = sequence;
  append(inFrame, {0x32, 0x0A});
  append(inFrame, kObu);
  append(inFrame, {0x01, 0x90, 0x00, 0x64, 0x80, 0x55, 0x55});
  CHECK(!takeContentLight(inFrame, AV_CODEC_ID_AV1));
  Bytes broken{0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x2A, 0x06, 0x01, 1, 2, 3};
  CHECK(!takeContentLight(broken, AV_CODEC_ID_AV1));
}
