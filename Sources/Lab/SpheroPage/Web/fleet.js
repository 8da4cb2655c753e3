// Keeps the connections to several robots; one of them at a time is shown and driven.

import { Connection } from "./connection.js";

/** The number of robots that Bluetooth connects at once. */
const mostRobots = 7;

/** The connected robots. */
export class Fleet {
  #makeModule;
  #page;
  #connections = [];
  /** The first connection, whose module also reads recordings. */
  home;
  #active;
  #isConnecting = false;

  /**
   * `sphero` is the first instance of the module, and `makeModule` returns a promise of another one.
   *
   * The functions of `page` are those of a connection, except `ended`; and `deactivate(connection)` and
   * `activate(connection)` around a change of the active connection, `selected(connection)` after one by the user
   * or by the end of the former connection, `idle(connection)` when no robot is connected any more, and `full(count)`.
   */
  constructor(sphero, makeModule, page) {
    this.#makeModule = makeModule;
    this.#page = { ...page, ended: (connection) => this.#ended(connection) };
    this.home = this.#active = this.#add(sphero);
  }

  /** The connection whose robot is shown and driven; it has no line without a robot. */
  get active() {
    return this.#active;
  }

  get all() {
    return this.#connections;
  }

  /** Connects a robot with a module that has none: `act` connects the connection that it gets. */
  async connect(act) {
    if (this.#isConnecting || this.#active.hasFailed) return;
    this.#isConnecting = true;
    try {
      const idle = [this.#active, ...this.#connections].find(({ line }) => line === null);
      if (idle === undefined && this.#connections.length >= mostRobots) return this.#page.full(mostRobots);
      await act(idle ?? this.#add(await this.#makeModule()));
    } finally {
      this.#isConnecting = false;
    }
  }

  activate(connection) {
    if (connection === this.#active) return;
    this.#page.deactivate(this.#active);
    this.#active = connection;
    this.#page.activate(connection);
  }

  /** Shows and drives another one of the connected robots. */
  select(connection) {
    if (connection === this.#active) return;
    this.activate(connection);
    this.#page.selected(connection);
  }

  /** Ends all connections after a failure of a module; each robot gets a stop. */
  fail() {
    for (const connection of this.#connections) connection.fail();
  }

  #add(sphero) {
    const connection = new Connection(sphero, this.#page);
    this.#connections.push(connection);
    return connection;
  }

  #ended(connection) {
    if (connection !== this.home) this.#connections = this.#connections.filter((other) => other !== connection);
    if (connection !== this.#active) return;
    const next = this.#connections.find(({ isOn }) => isOn);
    if (next) return this.select(next);
    this.#active = this.home;
    this.#page.idle(this.home);
  }
}
