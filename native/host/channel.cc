#include "host/channel.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace framewright::host {
namespace {

// The longest lines are timelines. src/engine/process/engine-channel.ts has the same limit.
constexpr size_t kMaxLineBytes = size_t{256} << 20;
constexpr size_t kReadBytes = size_t{64} << 10;

}  // namespace

Channel::Channel(int descriptor) : descriptor_(descriptor) {
  const int flags = fcntl(descriptor_, F_GETFL);
  if (flags >= 0) fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK);
}

std::optional<std::string> Channel::readLine() {
  while (true) {
    const size_t end = received_.find('\n', searched_);
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      // Frees the memory of a long timeline; most messages are short.
      if (received_.empty()) received_.shrink_to_fit();
      searched_ = 0;
      return line;
    }
    searched_ = received_.size();
    if (searched_ > kMaxLineBytes) return std::nullopt;
    received_.resize(searched_ + kReadBytes);
    const ssize_t count = read(descriptor_, received_.data() + searched_, kReadBytes);
    received_.resize(searched_ + static_cast<size_t>(count > 0 ? count : 0));
    if (count == 0 || (count < 0 && errno != EINTR)) return std::nullopt;
  }
}

void Channel::writeLine(std::string_view line) {
  std::lock_guard lock(writing_);
  const std::string whole = std::string(line) + '\n';
  for (size_t written = 0; written < whole.size();) {
    const ssize_t count = write(descriptor_, whole.data() + written, whole.size() - written);
    if (count > 0) written += static_cast<size_t>(count);
    // The peer is gone; readLine() reports it.
    if (count <= 0 && errno != EINTR) return;
  }
}

}  // namespace framewright::host
