#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "core/cancel_token.h"
#include "core/result.h"
#include "render/process_reading.h"
#include "render/turn_rule.h"

namespace framewright {

class EncodingTurns;

// The right to run a video encoder, as long as it lives.
class EncodingTurn {
 public:
  EncodingTurn(EncodingTurn&& other) noexcept : turns_(other.turns_), id_(other.id_) {
    other.turns_ = nullptr;
  }
  EncodingTurn& operator=(EncodingTurn&&) = delete;
  ~EncodingTurn();

  // How many encoders ran at once while this one could, itself included.
  int mostAtOnce() const;

 private:
  friend class EncodingTurns;
  EncodingTurn(EncodingTurns& turns, int64_t id) : turns_(&turns), id_(id) {}

  EncodingTurns* turns_;
  int64_t id_;
};

struct TurnWish {
  int64_t bytes = 0;     // about what the encoder will hold
  bool isAlone = false;  // beside none: a card's sessions are counted, and others want some
};

// Who may run a video encoder, in the order of asking. An encoder keeps as many threads and as much memory as
// one movie should take, so one runs at a time; more do where the cores have been idle beside those that ran,
// and memory is left. What a segment does before, decoding and drawing its first picture, goes on beside the
// encoders of others.
class EncodingTurns {
 public:
  using Read = ProcessReading (*)();

  explicit EncodingTurns(const TurnLimits& limits = {}, Read read = readProcess) : read_(read) {
    limit(limits);
  }

  static EncodingTurns& ofProcess();

  // Before the first wait.
  void limit(const TurnLimits& limits);

  // Blocks until it is this one's turn, or fails with CANCELLED.
  Result<EncodingTurn> wait(const TurnWish& wish, const CancelToken& cancel);

 private:
  friend class EncodingTurn;

  bool measures() const { return limits_.cores > 0 && limits_.most > 1; }
  bool isFree(const TurnWish& wish);
  void weigh();
  int held() const { return static_cast<int>(holders_.size()); }
  void note();
  void giveBack(int64_t id);
  int mostAtOnce(int64_t id);

  const Read read_;
  TurnLimits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int64_t> waiting_;
  std::map<int64_t, int> holders_;  // with the most that there were beside each
  int64_t last_ = 0;
  bool isAlone_ = false;
  int inReach_ = 1;
  unsigned looks_ = 0;
  ProcessReading since_;  // of the last note
  CoreUse spent_;         // in core-seconds, while as many ran as may
};

}  // namespace framewright
