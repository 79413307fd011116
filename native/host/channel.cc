#include "host/channel.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace framewright::host {
namespace {

// Timelines are the longest; src/engine/process/engine-channel.ts knows the same number.
constexpr size_t kLongestLine = size_t{256} << 20;
constexpr size_t kRead = size_t{64} << 10;

}  // namespace

Channel::Channel(int descriptor) : descriptor_(descriptor) {
  const int flags = fcntl(descriptor_, F_GETFL);
  if (flags >= 0) fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK);
}

std::optional<std::string> Channel::readLine() {
  while (true) {
    const size_t end = received_.find('\n', looked_);
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      // A movie's timeline is not kept for the next message, which is short.
      if (received_.empty()) received_.shrink_to_fit();
      looked_ = 0;
      return line;
    }
    looked_ = received_.size();
    if (looked_ > kLongestLine) return std::nullopt;
    received_.resize(looked_ + kRead);
    const ssize_t count = read(descriptor_, received_.data() + looked_, kRead);
    received_.resize(looked_ + static_cast<size_t>(count > 0 ? count : 0));
    if (count == 0 || (count < 0 && errno != EINTR)) return std::nullopt;
  }
}

void Channel::writeLine(std::string_view line) {
  std::lock_guard lock(writing_);
  const std::string whole = std::string(line) + '\n';
  for (size_t written = 0; written < whole.size();) {
    const ssize_t count = write(descriptor_, whole.data() + written, whole.size() - written);
    if (count > 0) written += static_cast<size_t>(count);
    // Whoever reads is gone; the thread that reads orders will see so too.
    if (count <= 0 && errno != EINTR) return;
  }
}

}  // namespace framewright::host
