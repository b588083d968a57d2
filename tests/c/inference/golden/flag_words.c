void port_configure(volatile struct port *port, unsigned speed) {
  port->control &= ~(PORT_ENABLE | PORT_PARITY);
  port->control |= (speed & 7u) << PORT_SPEED_SHIFT;
  while (!(port->status & PORT_READY)) spin_count++;
  port->control |= PORT_ENABLE;
}
