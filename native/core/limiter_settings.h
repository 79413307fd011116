#pragma once

namespace framewright {

// Parameters of the limiter of a clip.
struct LimiterSettings {
  double ceiling = -1;  // dBTP, -40..0
  double gain = 0;      // dB before the limiter, 0..40

  friend bool operator==(const LimiterSettings&, const LimiterSettings&) = default;
};

}  // namespace framewright
