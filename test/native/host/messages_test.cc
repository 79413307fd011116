#include "host/messages.h"

#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/channel.h"

namespace framewright::host {
namespace {

Result<CommandResult> run(const std::string& line) {
  const auto request = parseRequest(line);
  REQUIRE(request.ok());
  REQUIRE(request.value().command.has_value());
  return request.value().command->run(CancelToken(), {});
}

TEST_CASE("requests: an invalid message is rejected as a whole") {
  const auto probe = parseRequest(R"({"type":"call","id":7,"call":{"command":"probe","path":"/nowhere"}})");
  REQUIRE(probe.ok());
  CHECK(probe.value().id == 7);
  CHECK(probe.value().command->isShort);
  const auto cancel = parseRequest(R"({"type":"cancel","id":9})");
  REQUIRE(cancel.ok());
  CHECK(cancel.value().id == 9);
  CHECK_FALSE(cancel.value().command.has_value());
  for (
      const char* line : {
          "",
          "null",
          "{",
          R"({"type":"call","id":1})",
          R"({"type":"call","id":"1","call":{"command":"probe","path":"x"}})",
          R"({"type":"call","id":1.5,"call":{"command":"probe","path":"x"}})",
          R"({"type":"call","id":1,"call":{"command":"probe"}})",
          R"({"type":"call","id":1,"call":{"command":"probe","path":1}})",
          R"({"type":"call","id":1,"call":{"command":"unlink","path":"x"}})",
          R"({"type":"call","id":1,"call":[]})",
          R"({"type":"cancel"})",
          R"({"type":"end","id":1})",
          R"({"type":"call","id":1,"call":{"command":"renderSegment","timeline":"{}","path":"x"}})",
          R"({"type":"call","id":1,"call":{"command":"renderSegment","timeline":"{}","range":{"first":0},"path":"x"}})",
          R"({"type":"call","id":1,"call":{"command":"extractSound","path":"x","outputPath":"y","sampleRate":7999}})",
          R"({"type":"call","id":1,"call":{"command":"stitch","request":{"segmentPaths":[1],"outputPath":"x"}}})",
          R"({"type":"call","id":1,"call":{"command":"composeFrame","timeline":"{}"}})",
          "{\"type\":\"cancel\",\"id\":1,\"\xff\":0}",
      }) {
    CAPTURE(line);
    CHECK_FALSE(parseRequest(line).ok());
  }
  CHECK_FALSE(parseRequest(std::string(1000000, '[')).ok());
}

TEST_CASE("commands: return a JSON object or an error") {
  const auto encoder = run(R"({"type":"call","id":1,"call":{"command":"probeEncoder","name":"none"}})");
  REQUIRE(encoder.ok());
  CHECK(encoder.value().json.find(R"({"name":"none","available":false,"reason":")") == 0);
  const auto probe = run(R"({"type":"call","id":1,"call":{"command":"probe","path":"/nowhere"}})");
  REQUIRE_FALSE(probe.ok());
  CHECK(probe.error().code == ErrorCode::MEDIA_UNREADABLE);
  const auto frame = run(
      R"({"type":"call","id":1,"call":{"command":"composeFrame","timeline":"{}","frame":0,"pixelsPath":"/x"}})");
  REQUIRE_FALSE(frame.ok());
  CHECK(frame.error().code == ErrorCode::INVALID_TIMELINE);
}

TEST_CASE("messages: progress and results are single lines") {
  CHECK(progressLine(3, 40) == R"({"type":"progress","id":3,"done":40})");
  CHECK(resultLine(3, CommandResult{R"({"a":1})", nullptr}) == R"({"type":"result","id":3,"value":{"a":1}})");
  const std::string failed = resultLine(4, Error{ErrorCode::DECODE_FAILED, "a \"b\"\n", "\x01"});
  CHECK(failed.find('\n') == std::string::npos);
  CHECK(failed.find(R"("code":"DECODE_FAILED","message":"a \"b\"\n","detail":"\u0001")") !=
        std::string::npos);
}

TEST_CASE("channel: splits the received bytes into lines and ends with its peer") {
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
