#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace framewright {

// Seconds of the media per second, over the time of a clip. A value type.
class SpeedCurve {
 public:
  // From `time`, in seconds from the clip's start, up to the next piece the speed changes linearly.
  struct Piece {
    double time = 0;
    double from = 1, to = 1;
  };
  // A span of the clip during which the media stands still, in seconds.
  struct Hold {
    double start = 0, end = 0;
  };

  SpeedCurve(double speed = 1) : pieces_{{0, speed, speed}}, media_{0} {}  // NOLINT: a number is a speed
  // `pieces`: at least one, at ascending times from 0 on; the last one keeps its `from`.
  explicit SpeedCurve(std::vector<Piece> pieces);

  // Seconds of the media played at `seconds` of the clip.
  double mediaAt(double seconds) const;
  // The speed at `seconds` of the clip.
  double speedAt(double seconds) const;
  // Nothing when the speed changes.
  std::optional<double> constant() const;

  // The spans at speed 0, of which only the last may be endless, and the curve without them.
  std::vector<Hold> holds() const;
  SpeedCurve withoutHolds() const;

 private:
  size_t pieceAt(double seconds) const;
  double lengthOf(size_t piece) const;

  std::vector<Piece> pieces_;
  std::vector<double> media_;  // seconds of the media played before each piece
};

}  // namespace framewright
