#include "render/turn_rule.h"

#include <algorithm>

namespace framewright {
namespace {

// One more encoder is worth its memory where it can take a quarter of the cores.
constexpr double kIdleShare = 0.25;
constexpr double kFullShare = 0.05;
// What scenes take beyond their beginning, and the sound and whatever else is under way.
constexpr double kMemoryShare = 0.75;

}  // namespace

int turnsInReach(const TurnLimits& limits, int inReach, const CoreUse& use) {
  if (limits.cores <= 0) return limits.most;
  if (use.seconds < kTurnWindowSeconds) return inReach;
  // A process may be allowed less than the host has.
  const double idle = std::min(use.idle, limits.cores - use.own);
  if (idle >= kIdleShare * limits.cores) return std::min(limits.most, inReach + 1);
  // Where this process itself has filled them, fewer would only be slower.
  const bool isOthers = use.own < limits.cores / 2;
  return idle <= kFullShare * limits.cores && isOthers ? std::max(1, inReach - 1) : inReach;
}

bool hasRoom(const TurnLimits& limits, int held, const MemoryUse& memory) {
  if (held == 0 || limits.memoryBytes == 0) return true;
  const int64_t needed = std::max(memory.neededBytes, memory.residentBytes / held);
  return static_cast<double>(memory.residentBytes + needed) <=
         kMemoryShare * static_cast<double>(limits.memoryBytes);
}

}  // namespace framewright
