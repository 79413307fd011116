#pragma once

#include <cstdint>

namespace framewright::sandbox {

// 0: as it was.
struct Limits {
  uint64_t memoryBytes = 0;  // private memory that can be written, allocated rather than used
  uint64_t cpuSeconds = 0;   // of all threads together
  uint64_t fileBytes = 0;    // of one file
  uint64_t descriptors = 0;
};

// Soft and hard; core dumps are always off.
void setLimits(const Limits& limits);

// When the machine's memory ends the kernel picks this process before others.
void volunteerForOutOfMemory();

// The program that takes over gets 0, 1, 2 and `kept` (-1: none).
void dropDescriptors(int kept);

}  // namespace framewright::sandbox
