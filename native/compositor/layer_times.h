#pragma once

#include <map>

namespace framewright {

// Seconds that drawing took by what was drawn: an index into DrawList::pictures of the outermost list, or
// kNoPicture for layers without one. Reading the clock costs some 30 ns, so it is always done.
class LayerTimes {
 public:
  static constexpr int kNoPicture = -1;

  // For a Stopwatch; stays where it is until clear().
  double& of(int picture) { return seconds_[picture]; }
  void clear() { seconds_.clear(); }
  const std::map<int, double>& seconds() const { return seconds_; }

 private:
  std::map<int, double> seconds_;
};

}  // namespace framewright
