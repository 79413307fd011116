#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace framewright::host {

// Lines in and out over one socket.
class Channel {
 public:
  explicit Channel(int descriptor);

  // Blocks; nothing when the other side is gone, or its line is longer than any message may be. One thread.
  std::optional<std::string> readLine();

  // Whole, whatever other threads write; blocks while the other side does not read.
  void writeLine(std::string_view line);

 private:
  const int descriptor_;
  std::string received_;
  size_t looked_ = 0;  // of received_, without having found an end of line
  std::mutex writing_;
};

}  // namespace framewright::host
