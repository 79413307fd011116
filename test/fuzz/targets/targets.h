#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// What strangers' bytes go through, each as one function from bytes to nothing: it may refuse them in any
// way that the engine has, and must neither crash, hang, nor read or write where it should not.
namespace framewright::fuzz {

using Run = void (*)(std::span<const uint8_t> bytes);

void timeline(std::span<const uint8_t> bytes);  // parse, decide, compose
void media(std::span<const uint8_t> bytes);     // probe, first and last pictures, sound
void image(std::span<const uint8_t> bytes);     // header, whole still
void files(std::span<const uint8_t> bytes);     // packets, sequences, sprites, stills: the engine's own formats
void h264(std::span<const uint8_t> bytes);      // parameter sets, slice headers, skip pictures

struct Target {
  const char* name;
  Run run;
};
std::span<const Target> targets();

// The bytes as a regular file that exists only while this does.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const uint8_t> bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

}  // namespace framewright::fuzz
