#pragma once

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

// The right to run a video encoder. An encoder keeps as many threads and as much memory as one movie should
// take, so segments of a process have theirs one after another, in the order in which they asked; what a
// segment does before, decoding and drawing its first picture, goes on beside the encoder of another.
class EncodingTurn {
 public:
  // Blocks until it is this one's turn, or fails with CANCELLED.
  static Result<EncodingTurn> wait(const CancelToken& cancel);

  EncodingTurn(EncodingTurn&& other) noexcept : held_(other.held_) { other.held_ = false; }
  EncodingTurn& operator=(EncodingTurn&&) = delete;
  ~EncodingTurn();

 private:
  EncodingTurn() = default;
  bool held_ = true;
};

}  // namespace framewright
