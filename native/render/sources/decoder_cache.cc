#include "render/sources/decoder_cache.h"

#include <string>
#include <utility>

#include "core/file_key.h"

namespace framewright {
namespace {

constexpr size_t kMaxDecoders = 3;  // each keeps about ten reference frames

// Decoders of one file that output the same frames have the same key.
std::string keyOf(const Source& source) {
  return std::to_string(static_cast<int>(source.deinterlace)) + ' ' + fileKey(source.path);
}

}  // namespace

DecoderCache& DecoderCache::ofProcess() {
  static DecoderCache instance;
  return instance;
}

void DecoderCache::enable(bool isEnabled) {
  std::list<Entry> dropped;  // destroyed after the lock is released
  std::lock_guard lock(mutex_);
  isEnabled_ = isEnabled;
  if (!isEnabled) dropped.swap(entries_);
}

std::unique_ptr<VideoDecoder> DecoderCache::take(const Source& source, int64_t timeUs) {
  std::lock_guard lock(mutex_);
  if (entries_.empty()) return nullptr;
  const std::string key = keyOf(source);
  auto best = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->key != key) continue;
    const bool isBefore = entry->timeUs <= timeUs;
    const bool isBestBefore = best != entries_.end() && best->timeUs <= timeUs;
    if (best == entries_.end() || (isBefore && (!isBestBefore || entry->timeUs > best->timeUs))) best = entry;
  }
  if (best == entries_.end()) return nullptr;
  auto decoder = std::move(best->decoder);
  entries_.erase(best);
  return decoder;
}

void DecoderCache::add(const Source& source, int64_t timeUs, std::unique_ptr<VideoDecoder> decoder,
                       bool continues) {
  std::list<Entry> dropped;  // destroyed after the lock is released
  if (!accepts(continues) || !decoder->setTarget(nullptr).ok()) return;
  std::lock_guard lock(mutex_);
  entries_.push_front({keyOf(source), timeUs, std::move(decoder)});
  if (entries_.size() > kMaxDecoders) dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
}

bool DecoderCache::accepts(bool continues) {
  std::lock_guard lock(mutex_);
  return isEnabled_ || continues;
}

size_t DecoderCache::size() {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace framewright
