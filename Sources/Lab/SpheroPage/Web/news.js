// Passes the events of the module to the parts of the page that show them.

/** Whether the user must know of an event: the page counts lost samples and shows silence in its status. */
const isForUser = ({ kind, notice, weight }) =>
  kind === "end" || (["notice", "error"].includes(kind) && weight && weight !== "note" && !["gap", "silence"].includes(notice));

/** The events of the robot that another kind of event reports as well. */
const shownElsewhere = ["Sensing.Collision", "OrbBasic.PrintMessage"];

export class News {
  #notices;
  #sensors;
  #calibration;
  #programs;
  #end;

  /** `end` is called at the end of the conversation. */
  constructor({ notices, sensors, calibration, programs, end }) {
    [this.#notices, this.#sensors, this.#calibration, this.#programs, this.#end] = [notices, sensors, calibration, programs, end];
  }

  /** Handles an event of a connection that is not shown: what the user must know, with the name of the robot. */
  handleOther(connection, item) {
    const { kind, notice, message, advice, weight } = item;
    if (notice === "connected" || notice === "reconnected") this.#notices.clear("other");
    if (message && isForUser(item))
      this.#notices.show({ message: `${connection.name ?? "Another robot"}: ${message}`, advice, weight: kind === "end" ? "alarm" : weight, topic: "other" });
    if (kind === "end") connection.leave();
  }

  handle(item) {
    if (this.#programs.handle(item)) {
      if (item.kind !== "program") return;
      if (item.weight === "note") return this.#notices.log(item.message);
      return this.#notices.show({ ...item, topic: "robot" });
    }
    switch (item.kind) {
      case "sample":
        this.#sensors.add(item);
        break;
      case "collision":
        this.#notices.log(`Collision${item.direction == null ? "" : ` from ${Math.round(item.direction)}°`}, power ${item.power}`, "warning");
        break;
      case "color":
        dispatchEvent(new CustomEvent(item.is_finished ? "spherocolorfinish" : "spherocolorchange", { detail: item.color }));
        break;
      case "event":
        if (!shownElsewhere.includes(item.name)) this.#notices.log(item.message);
        break;
      case "calibration":
        this.#calibration.handle(item);
        this.#notices.log(item.message);
        break;
      case "guidance":
        if (item.state === "arrived") this.#notices.clear("guidance");
        if (item.weight === "note") this.#notices.log(item.state === "arrived" ? `Arrived, ${item.message}` : item.message);
        else this.#notices.show({ ...item, topic: "guidance" });
        break;
      case "answer":
        this.#notices.log(item.message, item.status === "ok" ? undefined : "warning");
        break;
      case "error":
        this.#notices.show({ ...item, topic: "robot" });
        break;
      case "end":
        if (item.message) this.#notices.show({ ...item, weight: "alarm", topic: "link" });
        this.#end();
        break;
      default:
        if (item.notice === "connected" || item.notice === "reconnected") this.#notices.clear("link");
        if (isForUser(item)) this.#notices.show({ ...item, topic: item.notice === "disconnected" ? "link" : "robot" });
        else this.#notices.log(item.message);
    }
  }
}
