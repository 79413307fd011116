#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// Parsers of untrusted bytes, one function each. They may reject the input but must not crash, hang, or
// access memory out of bounds.
namespace framewright::fuzz {

using Run = void (*)(std::span<const uint8_t> bytes);

void timeline(std::span<const uint8_t> bytes);  // parse, evaluate, compose
void media(std::span<const uint8_t> bytes);     // probe, first and last frames, audio
void image(std::span<const uint8_t> bytes);     // header and decoding of a still
void files(std::span<const uint8_t> bytes);  // the engine's own formats: packets, sequences, sprites, stills
void h264(std::span<const uint8_t> bytes);   // parameter sets, slice headers, skip frames

struct Target {
  const char* name;
  Run run;
};
std::span<const Target> targets();

// The bytes as a regular file for the object's lifetime.
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
