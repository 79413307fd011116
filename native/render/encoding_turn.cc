#include "render/encoding_turn.h"

#include <algorithm>
#include <chrono>

namespace framewright {
namespace {

constexpr std::chrono::milliseconds kLook{20};
// Every how many looks the counters are read.
constexpr int kLooksPerReading = 10;

}  // namespace

EncodingTurn::~EncodingTurn() {
  if (turns_ != nullptr) turns_->giveBack(id_);
}

int EncodingTurn::mostAtOnce() const { return turns_->mostAtOnce(id_); }

EncodingTurns& EncodingTurns::ofProcess() {
  static EncodingTurns instance;
  return instance;
}

void EncodingTurns::limit(const TurnLimits& limits) {
  limits_ = limits;
  inReach_ = measures() ? 1 : limits.most;
}

Result<EncodingTurn> EncodingTurns::wait(const TurnWish& wish, const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  const int64_t own = ++last_;
  waiting_.push_back(own);
  const auto isNext = [&] { return waiting_.front() == own && isFree(wish); };
  while (!changed_.wait_for(lock, kLook, isNext)) {
    if (!cancel.cancelled()) continue;
    std::erase(waiting_, own);
    changed_.notify_all();
    return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
  }
  waiting_.pop_front();
  isAlone_ = wish.isAlone;
  note();
  holders_[own] = 0;
  for (auto& [holder, most] : holders_) most = std::max(most, held());
  changed_.notify_all();
  return EncodingTurn(*this, own);
}

bool EncodingTurns::isFree(const TurnWish& wish) {
  if (held() == 0) return true;
  if (wish.isAlone || isAlone_) return false;
  weigh();
  if (held() >= inReach_) return false;
  return hasRoom(limits_, held(), {read_().residentBytes, wish.bytes});
}

// Whether cores are left idle is seen while as many encoders run as may: between two of them, and where
// segments come too slowly, an encoder more would change nothing.
void EncodingTurns::weigh() {
  if (!measures() || held() != inReach_ || ++looks_ % kLooksPerReading != 0) return;
  note();
  if (spent_.seconds < kTurnWindowSeconds) return;
  const CoreUse use{spent_.seconds, spent_.own / spent_.seconds, spent_.idle / spent_.seconds};
  inReach_ = turnsInReach(limits_, inReach_, use);
  spent_ = {};
}

void EncodingTurns::note() {
  if (!measures()) return;
  const ProcessReading now = read_();
  if (held() == inReach_) {
    spent_.seconds += now.seconds - since_.seconds;
    spent_.own += now.ownSeconds - since_.ownSeconds;
    spent_.idle += now.idleSeconds - since_.idleSeconds;
  }
  since_ = now;
}

void EncodingTurns::giveBack(int64_t id) {
  std::lock_guard lock(mutex_);
  note();
  holders_.erase(id);
  isAlone_ = false;
  changed_.notify_all();
}

int EncodingTurns::mostAtOnce(int64_t id) {
  std::lock_guard lock(mutex_);
  return holders_.at(id);
}

}  // namespace framewright
