"""AMB, the Agentic Memory Bank."""
