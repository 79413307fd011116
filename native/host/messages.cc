#include "host/messages.h"

#include <utility>

#include "commands/json_object.h"

namespace framewright::host {
namespace {

std::string failureLine(int64_t id, const Error& error) {
  return jsonText([&](JsonObject& message) {
    message.set("type", std::string_view("failed"));
    message.set("id", id);
    message.object("error", [&](JsonObject& object) {
      object.set("code", std::string_view(errorCodeName(error.code)));
      object.set("message", error.message);
      object.set("detail", error.detail);
    });
  });
}

}  // namespace

Result<Request> parseRequest(std::string line) {
  const Error invalid{ErrorCode::UNEXPECTED, "The line is not a valid message.", ""};
  rapidjson::Document message;
  message.ParseInsitu<kJsonParseFlags>(line.data());
  if (message.HasParseError() || !message.IsObject()) return invalid;
  const auto type = message.FindMember("type"), id = message.FindMember("id"),
             call = message.FindMember("call");
  const auto end = message.MemberEnd();
  if (type == end || !type->value.IsString() || id == end || !id->value.IsInt64()) return invalid;
  Request request{id->value.GetInt64(), std::nullopt};
  const std::string_view name(type->value.GetString(), type->value.GetStringLength());
  if (name == "cancel") return request;
  if (name != "call" || call == end) return invalid;
  FW_ASSIGN_OR_RETURN(request.command, parseCommand(call->value));
  return request;
}

std::string progressLine(int64_t id, int64_t done) {
  return R"({"type":"progress","id":)" + std::to_string(id) + R"(,"done":)" + std::to_string(done) + "}";
}

std::string resultLine(int64_t id, const Result<CommandResult>& result) {
  if (!result.ok()) return failureLine(id, result.error());
  return R"({"type":"result","id":)" + std::to_string(id) + R"(,"value":)" + result.value().json + "}";
}

}  // namespace framewright::host
