#include "formats/color_table_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/byte_reader.h"

namespace framewright {
namespace {

constexpr size_t kTableHeaderBytes = 12;
constexpr uint32_t kVersion = 1;
constexpr size_t kValues = size_t{kColorTableSide} * kColorTableSide * kColorTableSide * 3;

Error unreadable(const std::string& reason, const std::string& path) {
  return {ErrorCode::MEDIA_UNREADABLE, "the color table cannot be read (" + reason + ")", path};
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Result<std::vector<uint16_t>> readColorTableFile(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return unreadable(std::strerror(errno), path);
  // One byte more than a valid file, so that a longer one is found.
  std::vector<uint8_t> bytes(kTableHeaderBytes + kValues * 2 + 1);
  const size_t read = std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (read < kTableHeaderBytes) return unreadable("too short", path);
  ByteReader reader({bytes.data(), kTableHeaderBytes}, false);
  const bool magic = reader.startsWith("FWCT", 4);
  reader.skip(4);
  const uint32_t version = reader.u32(), side = reader.u32();
  if (!magic || version != kVersion) return unreadable("not a color table of version 1", path);
  if (side != static_cast<uint32_t>(kColorTableSide)) return unreadable("bad size", path);
  if (read != bytes.size() - 1) return unreadable("wrong length", path);
  std::vector<uint16_t> values(kValues);
  for (size_t i = 0; i < kValues; ++i) {
    const uint8_t* const at = &bytes[kTableHeaderBytes + 2 * i];
    values[i] = static_cast<uint16_t>(at[0] | at[1] << 8);
  }
  return values;
}

}  // namespace framewright
