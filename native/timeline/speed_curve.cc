#include "timeline/speed_curve.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace framewright {

SpeedCurve::SpeedCurve(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  pieces_.back().to = pieces_.back().from;
  double played = 0;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    media_.push_back(played);
    if (i + 1 < pieces_.size()) played += (pieces_[i].from + pieces_[i].to) / 2 * lengthOf(i);
  }
}

double SpeedCurve::mediaAt(double seconds) const {
  const size_t at = pieceAt(seconds);
  const Piece& piece = pieces_[at];
  const double elapsed = seconds - piece.time;
  return media_[at] + (piece.from + speedAt(seconds)) / 2 * elapsed;
}

double SpeedCurve::speedAt(double seconds) const {
  const size_t at = pieceAt(seconds);
  const Piece& piece = pieces_[at];
  if (piece.from == piece.to) return piece.from;
  return piece.from + (piece.to - piece.from) * (seconds - piece.time) / lengthOf(at);
}

std::optional<double> SpeedCurve::constant() const {
  const double speed = pieces_.front().from;
  const bool isConstant = std::all_of(pieces_.begin(), pieces_.end(),
                                      [&](const Piece& p) { return p.from == speed && p.to == speed; });
  return isConstant ? std::optional(speed) : std::nullopt;
}

std::vector<SpeedCurve::Hold> SpeedCurve::holds() const {
  std::vector<Hold> holds;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].from != 0 || pieces_[i].to != 0) continue;
    const double end = pieces_[i].time + lengthOf(i);
    if (!holds.empty() && holds.back().end == pieces_[i].time) {
      holds.back().end = end;
    } else {
      holds.push_back({pieces_[i].time, end});
    }
  }
  return holds;
}

SpeedCurve SpeedCurve::withoutHolds() const {
  std::vector<Piece> moving;
  double stopped = 0;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].from != 0 || pieces_[i].to != 0) {
      moving.push_back({pieces_[i].time - stopped, pieces_[i].from, pieces_[i].to});
    } else {
      stopped += lengthOf(i);
    }
  }
  return moving.empty() ? SpeedCurve(0) : SpeedCurve(std::move(moving));
}

size_t SpeedCurve::pieceAt(double seconds) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), seconds,
                                      [](double time, const Piece& piece) { return time < piece.time; });
  return after == pieces_.begin() ? 0 : static_cast<size_t>(after - pieces_.begin()) - 1;
}

double SpeedCurve::lengthOf(size_t piece) const {
  if (piece + 1 == pieces_.size()) return std::numeric_limits<double>::infinity();
  return pieces_[piece + 1].time - pieces_[piece].time;
}

}  // namespace framewright
