#pragma once

namespace framewright {

// Parameters of a reverb.
struct ReverbSettings {
  double size = 0.3;       // 0..1: distance of the reflections
  double decay = 0.5;      // s until the reverb has fallen by 60 dB, 0.1..20
  double wet = 0.2;        // 0..1: share of the reverb in the sound
  double preDelay = 0.01;  // s before the reverb, 0..0.5
  double damping = 0.5;    // 0..1: how much faster high frequencies decay

  friend bool operator==(const ReverbSettings&, const ReverbSettings&) = default;
};

}  // namespace framewright
