"""What people see while the connection to the server is gone, in their own language."""
