#pragma once

#include <chrono>
#include <map>

namespace framewright {

// Seconds that drawing took by what was drawn: an index into DrawList::pictures of the outermost list, or
// kNoPicture for layers without one. Reading the clock costs some 30 ns, so it is always done.
class LayerTimes {
 public:
  static constexpr int kNoPicture = -1;

  void add(int picture, double seconds) { seconds_[picture] += seconds; }
  void clear() { seconds_.clear(); }
  const std::map<int, double>& seconds() const { return seconds_; }

  // Adds the time it lives.
  class Watch {
   public:
    Watch(LayerTimes& times, int picture) : times_(times), picture_(picture) {}
    ~Watch() { times_.add(picture_, std::chrono::duration<double>(Clock::now() - start_).count()); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    LayerTimes& times_;
    const int picture_;
    const Clock::time_point start_ = Clock::now();
  };

 private:
  std::map<int, double> seconds_;
};

}  // namespace framewright
