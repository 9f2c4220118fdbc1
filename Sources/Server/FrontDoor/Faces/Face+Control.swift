import Calls
import ConsoleFace
import ControlFace
import HTTPTypes
import WireFormats

extension ControlFace: Face {
    func respond(to call: Call, at place: Place) async -> Response {
        await respond(to: call, path: place.path) { request, isRecorded in
            await place.door.enter(request, for: call, isRecorded: isRecorded)
        }
    }
}

/// The pages of the web console. If it is off, the control API has no such path.
struct ConsolePagesFace: Face {
    let console: ConsoleFace?
    let control: ControlFace

    func respond(to call: Call, at place: Place) async -> Response {
        guard let console else { return await control.respond(to: call, path: "/ui" + place.path) }
        return await console.respond(to: call, path: place.path) { request in await place.door.enter(request, for: call).response }
    }
}

/// The health path of LocalStack.
struct LocalStackHealthFace: Face {
    let control: ControlFace

    func respond(to call: Call, at place: Place) async -> Response { control.respondToLocalStackHealth(call) }
}

/// The icon that browsers request from every host; there is none.
struct IconFace: Face {
    func respond(to call: Call, at place: Place) async -> Response {
        call.note(face: "control")
        return Response(status: .noContent, headers: [.cacheControl: "max-age=86400"])
    }
}

/// The root of this process in a browser.
struct ConsoleEntranceFace: Face {
    func respond(to call: Call, at place: Place) async -> Response {
        call.note(face: "console")
        return ConsoleEntrance.redirect
    }
}
