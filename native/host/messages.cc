#include "host/messages.h"

#include <utility>

#include "host/json_object.h"

namespace framewright::host {
namespace {

std::string failureLine(int64_t id, const Error& error) {
  return jsonText([&](JsonObject& message) {
    message.set("type", std::string("failed"));
    message.set("id", static_cast<double>(id));
    message.object("error", [&](JsonObject& object) {
      object.set("code", std::string(errorCodeName(error.code)));
      object.set("message", error.message);
      object.set("detail", error.detail);
    });
  });
}

}  // namespace

std::optional<Order> readOrder(std::string line) {
  rapidjson::Document message;
  // Without recursion: how deep a line goes is no matter. In its own place: timelines are long.
  message.ParseInsitu<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(line.data());
  if (message.HasParseError() || !message.IsObject()) return std::nullopt;
  const auto type = message.FindMember("type"), id = message.FindMember("id"),
             call = message.FindMember("call");
  const auto end = message.MemberEnd();
  if (type == end || !type->value.IsString() || id == end || !id->value.IsInt64()) return std::nullopt;
  Order order{id->value.GetInt64(), std::nullopt};
  const std::string_view name(type->value.GetString(), type->value.GetStringLength());
  if (name == "cancel") return order;
  if (name != "call" || call == end) return std::nullopt;
  order.act = readAct(call->value);
  return order.act ? std::optional(std::move(order)) : std::nullopt;
}

std::string progressLine(int64_t id, int64_t done) {
  return R"({"type":"progress","id":)" + std::to_string(id) + R"(,"done":)" + std::to_string(done) + "}";
}

std::string answerLine(int64_t id, const Result<std::string>& result) {
  if (!result.ok()) return failureLine(id, result.error());
  return R"({"type":"result","id":)" + std::to_string(id) + R"(,"value":)" + result.value() + "}";
}

}  // namespace framewright::host
