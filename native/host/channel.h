#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace framewright::host {

// Exchanges lines over a socket.
class Channel {
 public:
  // Does not own the descriptor.
  explicit Channel(int descriptor);

  // Blocks. Nothing when the peer is gone or its line exceeds the maximum length. One thread at a time.
  std::optional<std::string> readLine();

  // Atomic between threads. Blocks while the peer does not read.
  void writeLine(std::string_view line);

 private:
  const int descriptor_;
  std::string received_;
  size_t searched_ = 0;  // bytes of received_ without a newline
  std::mutex writing_;
};

}  // namespace framewright::host
