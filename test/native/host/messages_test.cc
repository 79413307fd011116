#include "host/messages.h"

#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/channel.h"

namespace framewright::host {
namespace {

Result<std::string> run(const std::string& line) {
  const auto order = readOrder(line);
  REQUIRE(order.has_value());
  REQUIRE(order->act.has_value());
  return order->act->run(CancelToken(), {});
}

TEST_CASE("orders are read whole or not at all") {
  const auto probe = readOrder(R"({"type":"call","id":7,"call":{"act":"probe","path":"/nowhere"}})");
  REQUIRE(probe.has_value());
  CHECK(probe->id == 7);
  CHECK(probe->act->isShort);
  const auto cancel = readOrder(R"({"type":"cancel","id":9})");
  REQUIRE(cancel.has_value());
  CHECK(cancel->id == 9);
  CHECK_FALSE(cancel->act.has_value());
  for (
      const char* line : {
          "",
          "null",
          "{",
          R"({"type":"call","id":1})",
          R"({"type":"call","id":"1","call":{"act":"probe","path":"x"}})",
          R"({"type":"call","id":1.5,"call":{"act":"probe","path":"x"}})",
          R"({"type":"call","id":1,"call":{"act":"probe"}})",
          R"({"type":"call","id":1,"call":{"act":"probe","path":1}})",
          R"({"type":"call","id":1,"call":{"act":"unlink","path":"x"}})",
          R"({"type":"call","id":1,"call":[]})",
          R"({"type":"cancel"})",
          R"({"type":"end","id":1})",
          R"({"type":"call","id":1,"call":{"act":"renderSegment","timeline":"{}","path":"x"}})",
          R"({"type":"call","id":1,"call":{"act":"renderSegment","timeline":"{}","range":{"first":0},"path":"x"}})",
          R"({"type":"call","id":1,"call":{"act":"extractSound","path":"x","outputPath":"y","sampleRate":7999}})",
          R"({"type":"call","id":1,"call":{"act":"stitch","request":{"segmentPaths":[1],"outputPath":"x"}}})",
          R"({"type":"call","id":1,"call":{"act":"composeFrame","timeline":"{}","frame":0}})",
          "{\"type\":\"cancel\",\"id\":1,\"\xff\":0}",
      }) {
    CAPTURE(line);
    CHECK_FALSE(readOrder(line).has_value());
  }
  CHECK_FALSE(readOrder(std::string(1000000, '[')).has_value());
}

TEST_CASE("acts give what they are asked for, as JSON") {
  const auto trial = run(R"({"type":"call","id":1,"call":{"act":"tryEncoder","name":"none"}})");
  REQUIRE(trial.ok());
  CHECK(trial.value().find(R"({"name":"none","available":false,"reason":")") == 0);
  const auto probe = run(R"({"type":"call","id":1,"call":{"act":"probe","path":"/nowhere"}})");
  REQUIRE_FALSE(probe.ok());
  CHECK(probe.error().code == ErrorCode::MEDIA_UNREADABLE);
  const auto frame = run(
      R"({"type":"call","id":1,"call":{"act":"composeFrame","timeline":"{}","frame":0,"pixelsPath":"/x"}})");
  REQUIRE_FALSE(frame.ok());
  CHECK(frame.error().code == ErrorCode::INVALID_TIMELINE);
}

TEST_CASE("answers are lines") {
  CHECK(progressLine(3, 40) == R"({"type":"progress","id":3,"done":40})");
  CHECK(answerLine(3, std::string(R"({"a":1})")) == R"({"type":"result","id":3,"value":{"a":1}})");
  const std::string failed = answerLine(4, Error{ErrorCode::DECODE_FAILED, "a \"b\"\n", "\x01"});
  CHECK(failed.find('\n') == std::string::npos);
  CHECK(failed.find(R"("code":"DECODE_FAILED","message":"a \"b\"\n","detail":"\u0001")") !=
        std::string::npos);
}

TEST_CASE("a channel gives lines as they come, in pieces or several at once, and ends with the other side") {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  Channel channel(ends[0]);
  const std::string large(300000, 'x');
  std::thread writer([&] {
    for (const std::string& piece :
         {std::string("on"), std::string("e\ntwo\n"), large, std::string("\n\nrest")}) {
      for (size_t at = 0; at < piece.size();) {
        const ssize_t count = write(ends[1], piece.data() + at, piece.size() - at);
        if (count > 0) at += static_cast<size_t>(count);
      }
    }
    close(ends[1]);
  });
  CHECK(channel.readLine() == "one");
  CHECK(channel.readLine() == "two");
  CHECK(channel.readLine() == large);
  CHECK(channel.readLine() == "");
  CHECK_FALSE(channel.readLine().has_value());
  writer.join();
  close(ends[0]);
}

}  // namespace
}  // namespace framewright::host
