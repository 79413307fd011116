#pragma once

#include <map>

namespace framewright {

// Drawing time in seconds by index into DrawList::images of the outermost list, or kNoImage for layers
// without an image. Always measured; reading the clock takes about 30 ns.
class LayerTimes {
 public:
  static constexpr int kNoImage = -1;

  // For a Stopwatch; the reference is valid until clear().
  double& of(int image) { return seconds_[image]; }
  void clear() { seconds_.clear(); }
  const std::map<int, double>& seconds() const { return seconds_; }

 private:
  std::map<int, double> seconds_;
};

}  // namespace framewright
