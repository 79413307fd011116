#include "formats/pixel_deflate.h"

#include <algorithm>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <zlib.h>

using namespace framewright;

namespace {

using Bytes = std::vector<uint8_t>;

// Decodes with zlib, like any PNG reader.
Bytes unpacked(const Bytes& packed, size_t expected) {
  Bytes bytes(expected + 1);
  z_stream stream = {};
  REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int status = inflate(&stream, Z_FINISH);
  CHECK_MESSAGE(status == Z_STREAM_END, (stream.msg == nullptr ? "" : stream.msg));
  CHECK(stream.avail_in == 0);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

size_t checkComesBack(const std::vector<Bytes>& parts) {
  Bytes packed, whole;
  for (size_t i = 0; i < parts.size(); ++i) {
    deflatePixels(parts[i].data(), parts[i].size(), i + 1 == parts.size(), packed);
    whole.insert(whole.end(), parts[i].begin(), parts[i].end());
  }
  CHECK((unpacked(packed, whole.size()) == whole));
  return packed.size();
}

}  // namespace

TEST_CASE("pixel deflate: zlib decodes one or several parts") {
  std::mt19937 random(11);
  const auto noise = [&](size_t count, int kinds) {
    Bytes bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() % kinds);
    return bytes;
  };
  for (const int kinds : {1, 2, 3, 17, 256})
    for (const size_t count : {size_t{1}, size_t{2}, size_t{9}, size_t{4000}, size_t{70000}})
      checkComesBack({noise(count, kinds), noise(count + 3, 256), noise(1, kinds), noise(count, kinds)});
}

TEST_CASE("pixel deflate: runs of every length survive a round trip") {
  Bytes bytes;
  for (int length = 1; length <= 600; ++length) {
    bytes.insert(bytes.end(), length, static_cast<uint8_t>(length * 7));
    if (length % 3 == 0) bytes.push_back(1);
  }
  CHECK(checkComesBack({bytes}) < bytes.size() / 20);
}

TEST_CASE("pixel deflate: codes have at most 15 bits, however rare a byte is") {
  // Fibonacci frequencies give the deepest tree.
  for (const int kinds : {14, 15, 16, 17, 20, 26}) {
    Bytes bytes;
    size_t a = 1, b = 1;
    for (int kind = 0; kind < kinds; ++kind) {
      bytes.insert(bytes.end(), a, static_cast<uint8_t>(kind));
      const size_t sum = a + b;
      a = b;
      b = sum;
    }
    std::mt19937 random(3);
    std::shuffle(bytes.begin(), bytes.end(), random);
    checkComesBack({bytes});
  }
}
