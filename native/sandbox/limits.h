#pragma once

#include <cstdint>

namespace framewright::sandbox {

// Resource limits; 0 keeps the current one.
struct Limits {
  uint64_t memoryBytes = 0;  // private writable memory, as allocated
  uint64_t cpuSeconds = 0;   // summed over threads
  uint64_t fileBytes = 0;    // size of one file
  uint64_t descriptors = 0;
};

// Sets soft and hard limits and turns core dumps off.
void setLimits(const Limits& limits);

// Makes this process the first candidate of the out-of-memory killer.
void volunteerForOutOfMemory();

// Closes all descriptors on exec except 0, 1, 2 and `inherited` (-1: none).
void dropDescriptors(int inherited);

}  // namespace framewright::sandbox
