#include "formats/color_table_file.h"

#include <doctest/doctest.h>

#include "libav/media_fixture.h"

using namespace framewright;

namespace {

constexpr size_t kValues = size_t{kColorTableSide} * kColorTableSide * kColorTableSide * 3;

std::string header(uint32_t version, uint32_t side) {
  std::string bytes = "FWCT";
  for (const uint32_t value : {version, side}) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 255);
  }
  return bytes;
}

std::string fileOf(const std::string& bytes) {
  const std::string path = fixture::path("table.fwct");
  fixture::writeFile(path, {bytes.begin(), bytes.end()});
  return path;
}

}  // namespace

TEST_CASE("color table file: values are read in order") {
  std::string bytes = header(1, 65);
  for (size_t i = 0; i < kValues; ++i) {
    bytes += static_cast<char>(i & 255);
    bytes += static_cast<char>(i >> 8 & 255);
  }
  const auto table = readColorTableFile(fileOf(bytes));
  REQUIRE(table.ok());
  REQUIRE(table.value().size() == kValues);
  CHECK(table.value()[0] == 0);
  CHECK(table.value()[1000] == 1000);
  CHECK(table.value()[kValues - 1] == ((kValues - 1) & 65535));
}

TEST_CASE("color table file: damaged files are rejected") {
  const std::string content(kValues * 2, 'x');
  for (const std::string& bytes :
       {std::string(), header(1, 65), header(2, 65) + content, header(1, 33) + content,
        header(1, 65) + content + "x", header(1, 65) + content.substr(1),
        "FWSP" + header(1, 65).substr(4) + content}) {
    const auto table = readColorTableFile(fileOf(bytes));
    REQUIRE_FALSE(table.ok());
    CHECK(table.error().code == ErrorCode::MEDIA_UNREADABLE);
  }
  CHECK_FALSE(readColorTableFile("/nowhere/table.fwct").ok());
}
